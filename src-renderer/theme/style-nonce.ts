/** The nonce that styles made at run time must carry under the page's content security policy. */

/** Undefined if the page has no policy (development server). */
export function styleNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content;
  return content === undefined || content === '' || content.startsWith('__') ? undefined : content;
}
