/**
 * Decodes artifact bytes and validates them for a runtime: format, version, integrity, every signature, and that every referenced
 * name is declared. Bodies are not validated here but where they are first used.
 */

import { integrityOf } from './identity.js';
import { referenceFault } from './references.js';
import { artifactSchema } from './signatures.js';
import type { Artifact } from './types.js';
import { ARTIFACT_FORMAT, ARTIFACT_FORMAT_VERSION } from './types.js';

export type DecodedArtifact =
  | { readonly ok: true; readonly artifact: Artifact }
  /** One sentence that describes the error in the document. */
  | { readonly ok: false; readonly message: string };

/** Works in Node and in browsers; it is stateless. */
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** Decodes the contents of an artifact file. Never throws. */
export function decodeArtifact(document: Uint8Array | string): DecodedArtifact {
  const parsed = parseJson(document);
  if (!parsed.ok) return parsed;
  const value = parsed.value;
  if (!isObject(value) || Array.isArray(value)) {
    return refuse('the document is not a JSON object');
  }
  const header = value as { readonly [key: string]: unknown };
  if (header['format'] !== ARTIFACT_FORMAT) return refuse(`its \`format\` is not "${ARTIFACT_FORMAT}"`);
  if (header['formatVersion'] !== ARTIFACT_FORMAT_VERSION) {
    return refuse(
      `its format version is ${JSON.stringify(header['formatVersion'])} and this runtime reads version ` +
        `${ARTIFACT_FORMAT_VERSION}; build it again with the compiler of this runtime`,
    );
  }
  if (typeof header['integrity'] !== 'string') return refuse('it has no `integrity`');
  if (header['integrity'] !== computedIntegrity(value as Artifact)) {
    return refuse('its contents do not match its `integrity`: it was changed or damaged after it was built');
  }
  const result = artifactSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    return refuse(`${placeText(issue?.path ?? [])}: ${issue?.message ?? 'it does not have the form of an artifact'}`);
  }
  const artifact = withBodies(value as Artifact);
  const fault = referenceFault(artifact);
  return fault === undefined ? { ok: true, artifact } : refuse(fault);
}

/**
 * The artifact with every malformed body replaced by an empty object, so that the code which uses it reports a form error instead of
 * throwing a TypeError.
 */
function withBodies(artifact: Artifact): Artifact {
  const held = <Declaration extends { readonly body: object }>(declarations: readonly Declaration[]) =>
    declarations.map((declaration) => (isObject(declaration.body) ? declaration : { ...declaration, body: {} }));
  const { rules, defines, checks, queries, mutations, functions } = artifact;
  const declarations = {
    rules: held(rules),
    defines: held(defines),
    checks: held(checks),
    queries: held(queries),
    mutations: held(mutations),
    functions: held(functions),
  };
  return { ...artifact, ...declarations } as Artifact;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function refuse(reason: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `Not a valid artifact: ${reason}` };
}

function parseJson(document: Uint8Array | string) {
  try {
    const text = typeof document === 'string' ? document : new TextDecoder('utf-8', { fatal: true }).decode(document);
    return { ok: true as const, value: JSON.parse(text) as unknown };
  } catch (error) {
    return refuse(error instanceof SyntaxError ? `it is not JSON (${error.message})` : 'it is not UTF-8 text');
  }
}

/** Undefined if the document has no canonical form (it contains a lone surrogate); no compiled artifact has one. */
function computedIntegrity(artifact: Artifact): string | undefined {
  try {
    return integrityOf(artifact);
  } catch {
    return undefined;
  }
}

/** `rules[3].parameters[0].type` */
function placeText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `\`${text.replace(/^\./, '')}\``;
}
