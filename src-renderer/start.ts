/**
 * Runs before the page's own code is loaded: sets the colours, shows a first frame, and sends the first requests, so that their
 * responses arrive while the code loads.
 */

import '@fontsource-variable/inter/wght.css';
import './theme/tokens.css';
import './theme/contrast.css';
import './theme/first-frame.css';
import type { Success } from '../src-runtime/api/client.js';
import { FORK_HEADER } from '../src-runtime/api/headers.js';
import { WORKBENCH_CLIENT } from '../src-runtime/api/request-filter.js';
import type { ModuleInfo, ServedSchema } from '../src-runtime/api/schemas/module-schemas.js';
import { host } from './host/current-host.js';
import { prefetch } from './server-state/page-fetch.js';
import { storedText } from './state/page-storage.js';

/** The key under which Mantine stores the colour scheme. */
const chosen = storedText('localStorage', 'mantine-color-scheme-value');
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark);
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

const headers = {
  accept: 'application/json',
  'x-entail-client': WORKBENCH_CLIENT,
  ...(host.token !== undefined && { authorization: `Bearer ${host.token}` }),
};
prefetch.start(['/v1/module/sources', '/v1/module', '/v1/health'], headers);
void prefetchSchema();

/**
 * Requests only what the server will not refuse, because a refusal would appear in the console at every start: no schema without a
 * module, and no facts if the module requires context.
 */
async function prefetchSchema(): Promise<void> {
  if ((await earlyResult<ModuleInfo>('/v1/module'))?.loaded !== true) return;
  prefetch.start(['/v1/schema'], headers);
  const context = (await earlyResult<ServedSchema>('/v1/schema'))?.context;
  if (context?.some(({ required }) => required) !== false) return;
  // For the frame around every panel. If the page opens on another fork, these responses are not used.
  prefetch.start(['/v1/checks/states?limit=200'], { ...headers, [FORK_HEADER]: 'main' });
  prefetch.start(['/v1/forks', '/v1/tests?limit=1000'], headers);
}

async function earlyResult<T>(path: string): Promise<T | undefined> {
  return ((await prefetch.peek(path)) as Success<T> | undefined)?.result;
}
