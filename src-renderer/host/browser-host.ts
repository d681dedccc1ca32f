/** The host of the page in a browser. The token comes in the address and is kept for this tab. */

import { storedText, storeText } from '../state/page-storage.js';
import type { Host } from './host.js';

const TOKEN_KEY = 'entail.token';

export function browserHost(): Host {
  polyfillForPlainHttp();
  const token = takeToken();
  return {
    kind: 'browser',
    token,
    projects: undefined,
    desktop: undefined,
    openDroppedFiles: undefined,
    runtimePlace: undefined,
    settings: undefined,
    copyToken: async () => {
      if (token === undefined) return false;
      await navigator.clipboard.writeText(token);
      return true;
    },
    copyCommand: undefined,
    onRuntimeState: () => () => undefined,
    onGoTo: () => () => undefined,
    onCommand: () => () => undefined,
    onEdit: () => () => undefined,
  };
}

/** Moves `#token=…` from the address to the tab's storage, so that it is neither shown nor bookmarked. */
function takeToken(): string | undefined {
  const fromAddress = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (fromAddress === null || fromAddress === '') return storedText('sessionStorage', TOKEN_KEY) ?? undefined;
  storeText('sessionStorage', TOKEN_KEY, fromAddress);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return fromAddress;
}

/** Polyfills what browsers leave out on plain HTTP from another machine. */
function polyfillForPlainHttp(): void {
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

/** Copies through the browser's copy command, whose text a listener replaces. */
async function writeText(text: string): Promise<void> {
  const replace = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', replace, { capture: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', replace, { capture: true });
  if (!isCopied) throw new DOMException('The browser copies only after a click or a key press.', 'NotAllowedError');
}
