/**
 * What runs before the page's own code is there: its colours, with a first frame of it, and the requests that it begins with.
 * While the code is read and run, they are answered.
 */

import '@fontsource-variable/inter/wght.css';
import './theme/tokens.css';
import './theme/first-frame.css';
import { WORKBENCH_CLIENT } from '../src-runtime/api/request-filter.js';
import { earlyAnswers } from './data/early-answers.js';
import { host } from './host/current-host.js';

/** Where the appearance that was chosen is kept, as the interface's library does. */
const chosen = localStorage.getItem('mantine-color-scheme-value');
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark);
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

earlyAnswers.ask(['/v1/module/sources', '/v1/module', '/v1/schema', '/v1/health'], {
  accept: 'application/json',
  'x-entail-client': WORKBENCH_CLIENT,
  ...(host.token !== undefined && { authorization: `Bearer ${host.token}` }),
});
