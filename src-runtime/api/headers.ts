/** The headers of a request that are our own, and which of them carries which context field, for both ends of the wire. */

/** An id that no other request has: with it a request that was out of time is not run again, whoever sends it again. */
export const ONCE_HEADER = 'x-entail-once';

/** Names the fork that a request runs on. */
export const FORK_HEADER = 'x-fork-id';

const OWN_HEADERS = new Set(['tenantId', 'principalId']);

/** `tenantId` → `x-tenant-id`, `principalId` → `x-principal-id`, any other `fooBar` → `x-context-foo-bar`. */
export function headerOfContextField(field: string): string {
  const dashed = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return OWN_HEADERS.has(field) ? `x-${dashed}` : `x-context-${dashed}`;
}

/** The field that a header (in lower case) carries, or undefined for any other header. */
export function contextFieldOfHeader(header: string): string | undefined {
  if (header === 'x-tenant-id') return 'tenantId';
  if (header === 'x-principal-id') return 'principalId';
  if (!header.startsWith('x-context-') || header.length === 'x-context-'.length) return undefined;
  return header.slice('x-context-'.length).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Headers carry bytes: text goes as UTF-8, one character a byte, so that any tenant name can travel. */
export function headerBytes(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The reverse of `headerBytes`; bytes that are no UTF-8 stand for themselves. */
export function headerText(bytes: string): string {
  // Most are plain, and reading bytes as UTF-8 is not for nothing.
  if (/^[ -~]*$/.test(bytes)) return bytes;
  const escaped = bytes.replace(/[\s\S]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return bytes;
  }
}
