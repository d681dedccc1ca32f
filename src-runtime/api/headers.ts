/** The product's request headers, and the headers of context fields, for client and server. */

/** A unique id of a request. A browser may send a request again after a timeout; with this id it is not run again. */
export const ONCE_HEADER = 'x-entail-once';

/** Identifies a request that a client may send again: it runs once, and each time has the first response. */
export const KEY_HEADER = 'idempotency-key';

/** Names the fork that a request runs on. */
export const FORK_HEADER = 'x-fork-id';

/** How many writes a scope has seen, in responses. A request that sends it back reads that state or a later one, on any server. */
export const VERSION_HEADER = 'x-scope-version';

const OWN_HEADERS = new Set(['tenantId', 'principalId']);

/** `tenantId` → `x-tenant-id`, `principalId` → `x-principal-id`, any other `fooBar` → `x-context-foo-bar`. */
export function headerOfContextField(field: string): string {
  const dashed = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return OWN_HEADERS.has(field) ? `x-${dashed}` : `x-context-${dashed}`;
}

/** The context field of a header in lower case; undefined for any other header. */
export function contextFieldOfHeader(header: string): string | undefined {
  if (header === 'x-tenant-id') return 'tenantId';
  if (header === 'x-principal-id') return 'principalId';
  if (!header.startsWith('x-context-') || header.length === 'x-context-'.length) return undefined;
  return header.slice('x-context-'.length).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Encodes text as UTF-8 with one character for each byte, because headers carry bytes. So a tenant may have any name. */
export function headerBytes(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The reverse of `headerBytes`. Bytes that are not UTF-8 are kept as characters. */
export function headerText(bytes: string): string {
  // Most headers are plain ASCII, and decoding UTF-8 takes time.
  if (/^[ -~]*$/.test(bytes)) return bytes;
  const escaped = bytes.replace(/[\s\S]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return bytes;
  }
}
