/**
 * What runs before the page's own code is there: its colours, with a first frame of it, and the requests that it begins with.
 * While the code is read and run, they are answered.
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

/** Where the appearance that was chosen is kept, as the interface's library does. */
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
void askWhatFollows();

/** A server without a module has no schema, nor has one all of its context that wants more of it; a refusal would stand in the console of every start. */
async function askWhatFollows(): Promise<void> {
  if ((await earlyResult<ModuleInfo>('/v1/module'))?.loaded !== true) return;
  prefetch.start(['/v1/schema'], headers);
  const context = (await earlyResult<ServedSchema>('/v1/schema'))?.context;
  if (context?.some(({ required }) => required) !== false) return;
  // Of what the frame of every panel shows. Where the page looks elsewhere, these answers are of no use, and do no harm.
  prefetch.start(['/v1/checks/states?limit=200'], { ...headers, [FORK_HEADER]: 'main' });
  prefetch.start(['/v1/forks', '/v1/tests?limit=1000'], headers);
}

async function earlyResult<T>(path: string): Promise<T | undefined> {
  return ((await prefetch.peek(path)) as Success<T> | undefined)?.result;
}
