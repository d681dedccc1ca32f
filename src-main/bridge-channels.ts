/** The names of the messages between page and main process, which preload script and bridge agree on. */

export const OPEN_MODULE_FILES = 'entail:open-module-files';
/** Those that were let go over the window. */
export const OPEN_DROPPED_FILES = 'entail:open-dropped-files';
export const COPY_TOKEN = 'entail:copy-token';
/** Where the runtime is reached and where it keeps facts. */
export const GET_RUNTIME_PLACE = 'entail:get-runtime-place';
/** The page asks for the runtime's state; main answers. */
export const GET_RUNTIME_STATE = 'entail:get-runtime-state';
/** Main tells the page that the runtime's state changed. */
export const RUNTIME_STATE = 'entail:runtime-state';
/** A menu asks the page to undo, redo or select all. */
export const EDIT = 'entail:edit';
/** Main leads the page to an address of its own. */
export const GO_TO = 'entail:go-to';
