/** The world's edge. */

import type { Runtime as RuntimeOf } from './contract/runtime.js';
import type { SessionParts } from './state/session-parts.js';

export type { EventFeed, MutationAnswer, Page, Paging, RequestFrame } from './contract/requests.js';
export type { RuntimeOptions, WorldLog } from './contract/runtime.js';
export { createRuntime, runWrite } from './session/create-runtime.js';
export type { SessionParts } from './state/session-parts.js';
export { runModuleTests, type TestFailure } from './tests/module-tests.js';
export { wholeCoverage } from './tests/test-coverage.js';
export type Runtime = RuntimeOf<SessionParts>;
