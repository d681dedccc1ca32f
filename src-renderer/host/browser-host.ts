/** The host of the page in a browser: the token arrives in the address and stays in this tab. */

import { storedText, storeText } from '../state/page-storage.js';
import type { Host } from './host.js';
import { supplyForPlainHttp } from './plain-http.js';

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
