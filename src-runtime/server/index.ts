/** The server's edge: what hosts (command line, desktop, tests) may use. */

export { StorageError } from '../storage/event-store.js';
export { isLoopback, type TokenGrant } from './access.js';
export { compileToBytes } from './compile.js';
export { ModuleLoadError } from './loader.js';
export { gatherLines } from './log-lines.js';
export {
  decodeText,
  openModuleSource,
  reasonOf,
  type SourceFile,
  SourceFileError,
} from './module-source.js';
export {
  type DataLocation,
  DEFAULT_GRANT,
  DEFAULT_LIMITS,
  DEFAULT_SCOPE_ID_BITS,
  type Log,
  type StartOptions,
} from './options.js';
export { createPacer } from './pacer.js';
export { openReproBundle } from './repro.js';
export { DEFAULT_LOG_REQUESTS } from './request-log.js';
export { ListenError, type RunningRuntime, startRuntime } from './start.js';
