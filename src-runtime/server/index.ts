/** The server's edge: what hosts (command line, desktop, tests) may use. */

export { isLoopback } from './access.js';
export { buildServer } from './build-server.js';
export { compileToBytes } from './compile.js';
export { createModuleLoader, ModuleLoadError, type ModuleLoader } from './loader.js';
export {
  type ModuleSource,
  openModuleSource,
  readSourceFiles,
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
  type ServerSettings,
  type StartOptions,
} from './options.js';
export { ListenError, type RunningRuntime, startRuntime } from './start.js';
