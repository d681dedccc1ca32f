/** The world's edge. */

export { createRuntime, type RuntimeOptions, type WorldLog } from './create-runtime.js';
export { runModuleTests, type TestFailure } from './module-tests.js';
export type { EventFeed, MutationAnswer, Page, Paging, RequestFrame } from './requests.js';
export type { Runtime, Session } from './runtime.js';
export { wholeCoverage } from './test-coverage.js';
