/** The artifact's edge: what other rooms may use of it besides its types. */

export { canonicalBytes, canonicalHash, canonicalText } from './canonical.js';
export type { DecodedArtifact } from './decode.js';
export { decodeArtifact } from './decode.js';
export type { ArtifactDraft } from './encode.js';
export { encodeArtifact, sealArtifact } from './encode.js';
export { compareText, integrityOf, schemaHashOf } from './identity.js';
export type * from './types.js';
export { ARTIFACT_FORMAT, ARTIFACT_FORMAT_VERSION } from './types.js';
