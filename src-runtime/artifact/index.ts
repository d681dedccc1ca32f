/** The artifact's public interface for other folders, besides its types. */

export { type BodyKind, bodyFault } from './bodies.js';
export type { DecodedArtifact } from './decode.js';
export { decodeArtifact } from './decode.js';
export type { ArtifactDraft } from './encode.js';
export { encodeArtifact, sealArtifact } from './encode.js';
export type * from './types.js';
