/**
 * What runs before the page's own code is there: its colours, with a first frame of it, and the requests that it begins with.
 * While the code is read and run, they are answered.
 */

import '@fontsource-variable/inter/wght.css';
import './theme/tokens.css';
import './theme/first-frame.css';
import type { Success } from '../src-runtime/api/client.js';
import type { ModuleInfo } from '../src-runtime/api/module-schemas.js';
import { WORKBENCH_CLIENT } from '../src-runtime/api/request-filter.js';
import { earlyAnswers } from './data/early-answers.js';
import { storedText } from './data/page-storage.js';
import { host } from './host/current-host.js';

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
earlyAnswers.ask(['/v1/module/sources', '/v1/module', '/v1/health'], headers);
// A server without a module has no schema, and a refusal would stand in the console of every start.
void earlyAnswers.peek('/v1/module').then((body) => {
  if ((body as Success<ModuleInfo> | undefined)?.result.loaded === true) earlyAnswers.ask(['/v1/schema'], headers);
});
