/** What other layers may use of the world. */

import type { Runtime as RuntimeOf } from './contract/runtime.js';
import type { Session } from './state/session.js';

export type { EventFeed, MutationResponse, Page, Paging, RequestFrame } from './contract/requests.js';
export type { RuntimeOptions, WorldLog } from './contract/runtime.js';
export { createRuntime, runRead, runWrite } from './session/create-runtime.js';
export type { Session } from './state/session.js';
export { runModuleTests, type TestFailure } from './tests/module-tests.js';
export { wholeCoverage } from './tests/test-coverage.js';
export type Runtime = RuntimeOf<Session>;
