/** The status of the server as shown in the top bar, from its last health response and from the host. */

import type { Health } from '../../src-runtime/api/schemas/health-schemas.js';
import type { RuntimeState } from '../host/host.js';
import { ApiFailure } from '../model/facts/failure.js';
import type { GlyphKind } from '../ui/glyph.js';

export interface StateWords {
  readonly glyph: GlyphKind;
  readonly word: string;
  /** What the status means and what to do. */
  readonly sentence: string;
  /** The status line shows the sentence. */
  readonly banner: boolean;
}

export function stateWords(
  health: { readonly data: Health | undefined; readonly error: unknown },
  hostState: RuntimeState | undefined,
): StateWords {
  const { data, error } = health;
  if (hostState?.state === 'failed') {
    return words('blocking', 'Stopped', hostState.message ?? 'The server stopped and could not be restarted.', true);
  }
  if (hostState?.state === 'restarting') {
    return words('warning', 'Restarting', hostState.message ?? 'The server stopped. Restarting…', true);
  }
  if (hostState?.state === 'starting' && data !== undefined) {
    const sentence = 'The server is starting. Until it is ready, you see the previous module.';
    return words('pending', 'Opening', sentence, true);
  }
  if (error instanceof ApiFailure) return failureWords(error);
  if (error !== null && error !== undefined) {
    return words('warning', 'Reconnecting', 'Can’t reach the server. Retrying…', true);
  }
  if (data === undefined) return words('pending', 'Connecting', 'Connecting to the server…', false);
  if (!data.module.loaded) {
    return words('warning', 'No module', 'The server has no module. Open one in the Module panel.', false);
  }
  return words('good', 'Connected', `Entail ${data.version}, ${data.storage} storage.`, false);
}

function failureWords(error: ApiFailure): StateWords {
  if (error.status === 403) {
    return words(
      'blocking',
      'Refused',
      'The token of this page is missing or expired. Open the address that the server printed when it started.',
      true,
    );
  }
  if (error.code === 'SVC_RUNTIME_STORAGE_UNREACHABLE') {
    return words('blocking', 'No storage', error.message, true);
  }
  return words('warning', 'Failing', error.message, true);
}

function words(glyph: GlyphKind, word: string, sentence: string, banner: boolean): StateWords {
  return { glyph, word, sentence, banner };
}
