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
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
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
