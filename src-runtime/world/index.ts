/** The world's edge. */

export type { EventFeed, MutationAnswer, Page, Paging, RequestFrame } from './contract/requests.js';
export type { Runtime, RuntimeOptions, Session, WorldLog } from './contract/runtime.js';
export { createRuntime } from './session/create-runtime.js';
export { runModuleTests, type TestFailure } from './tests/module-tests.js';
export { wholeCoverage } from './tests/test-coverage.js';
