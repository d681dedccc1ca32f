/** Entry point of the worker thread: runs `runtime-worker.ts` with its compiled code. */

import { join } from 'node:path';
import { runScript } from '../cached-script.js';

runScript(join(import.meta.dirname, 'desktop/runtime-worker.cjs'));
