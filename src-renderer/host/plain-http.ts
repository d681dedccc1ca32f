/**
 * What browsers keep from a page that came over plain HTTP from another machine (`entail serve --allow-remote`), supplied under the
 * names that it has elsewhere: nothing else on the page has to know how it came.
 */

/** Changes nothing where the browser trusts the connection. */
export function supplyForPlainHttp(): void {
  if (window.isSecureContext) return;
  Object.defineProperty(crypto, 'randomUUID', { value: randomUuid });
  Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
}

/** Version 4 (RFC 9562). */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The browser's own command copies what is selected; what it is about to copy can be replaced. */
async function writeText(text: string): Promise<void> {
  const replace = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', replace, { capture: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', replace, { capture: true });
  if (!isCopied)
    throw new DOMException('The browser copies only what a click or a key has asked for.', 'NotAllowedError');
}
