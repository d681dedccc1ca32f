/** The server's edge: what hosts (command line, desktop, tests) may use. */

export { ProjectError } from '../project/find-project.js';
export { StorageError } from '../storage/event-store.js';
export {
  checkData,
  type DataInfo,
  type DataReport,
  dataInfo,
  findingsOf,
  foundIn,
  repairData,
  restoreInto,
  restoreProject,
} from './data-folder.js';
export { isLoopback, type TokenGrant } from './http/access.js';
export { createDeadline } from './http/deadline.js';
export { bufferLines } from './log/buffered-lines.js';
export { compileToBytes } from './modules/compile.js';
export { ModuleLoadError } from './modules/loader.js';
export {
  decodeText,
  openModuleSource,
  type SourceFile,
  SourceFileError,
} from './modules/module-source.js';
export {
  type DataLocation,
  DEFAULT_GRANT,
  type Log,
  type NextProject,
  type ProjectHost,
  type StartOptions,
} from './options.js';
export { ListenError, projectOptions, type RunningRuntime, startRuntime } from './start.js';
