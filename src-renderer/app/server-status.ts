/** The status of the server as shown in the top bar, from its last health response and from the host. */

import type { Health } from '../../src-runtime/api/schemas/health-schemas.js';
import type { RuntimeState } from '../host/host.js';
import { ApiFailure } from '../model/facts/failure.js';
import type { GlyphKind } from '../ui/glyph.js';

export interface ServerStatus {
  readonly glyph: GlyphKind;
  readonly label: string;
  /** What the status means and what to do. */
  readonly sentence: string;
  /** The status line shows the sentence. */
  readonly banner: boolean;
}

export function serverStatus(
  health: { readonly data: Health | undefined; readonly error: unknown },
  hostState: RuntimeState | undefined,
): ServerStatus {
  const { data, error } = health;
  if (hostState?.state === 'failed') {
    return status('blocking', 'Stopped', hostState.message ?? 'The server stopped and could not be restarted.', true);
  }
  if (hostState?.state === 'restarting') {
    return status('warning', 'Restarting', hostState.message ?? 'The server stopped. Restarting…', true);
  }
  if (hostState?.state === 'starting' && data !== undefined) {
    const sentence = hostState.message ?? 'The server is starting. Until it is ready, you see the previous module.';
    return status('pending', 'Opening', sentence, true);
  }
  if (error instanceof ApiFailure) return failureStatus(error);
  if (error !== null && error !== undefined) {
    return status('warning', 'Reconnecting', 'Can’t reach the server. Retrying…', true);
  }
  if (data === undefined) return status('pending', 'Connecting', 'Connecting to the server…', false);
  if (!data.module.loaded) {
    return status('warning', 'No module', 'The server has no module. Open one in the Module panel.', false);
  }
  return status('good', 'Connected', `Entail ${data.version}, ${data.storage} storage.`, false);
}

function failureStatus(error: ApiFailure): ServerStatus {
  if (error.status === 403) {
    return status(
      'blocking',
      'Rejected',
      'The token of this page is missing or expired. Open the address that the server printed when it started.',
      true,
    );
  }
  if (error.code === 'SVC_RUNTIME_STORAGE_UNREACHABLE') {
    return status('blocking', 'No storage', error.message, true);
  }
  return status('warning', 'Failing', error.message, true);
}

function status(glyph: GlyphKind, label: string, sentence: string, banner: boolean): ServerStatus {
  return { glyph, label, sentence, banner };
}
