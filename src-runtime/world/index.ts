/** The world's edge. */

export type { EventFeed, MutationAnswer, Page, Paging, RequestFrame } from './contract/requests.js';
export type { Runtime, Session } from './contract/runtime.js';
export { createRuntime, type RuntimeOptions, type WorldLog } from './session/create-runtime.js';
export { runModuleTests, type TestFailure } from './tests/module-tests.js';
export { wholeCoverage } from './tests/test-coverage.js';
