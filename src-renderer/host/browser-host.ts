/** The host of the page in a browser: the token arrives in the address and stays in this tab. */

import { storedText, storeText } from '../state/page-storage.js';
import type { Host } from './host.js';

const TOKEN_KEY = 'entail.token';

export function browserHost(): Host {
  supplyForPlainHttp();
  const token = takeToken();
  return {
    kind: 'browser',
    token,
    openModuleFiles: undefined,
    openDroppedFiles: undefined,
    runtimePlace: undefined,
    copyToken: async () => {
      if (token === undefined) return false;
      await navigator.clipboard.writeText(token);
      return true;
    },
    onRuntimeState: () => () => undefined,
    onGoTo: () => () => undefined,
    onEdit: () => () => undefined,
  };
}

/** Takes `#token=…` out of the address, so that it is neither bookmarked nor shown, and keeps it for this tab. */
function takeToken(): string | undefined {
  const fromAddress = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (fromAddress === null || fromAddress === '') return storedText('sessionStorage', TOKEN_KEY) ?? undefined;
  storeText('sessionStorage', TOKEN_KEY, fromAddress);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return fromAddress;
}

/** Changes nothing where the browser trusts the connection. */
function supplyForPlainHttp(): void {
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
