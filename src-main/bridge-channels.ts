/** The names of the messages between page and main process, which preload script and bridge agree on. */

export const OPEN_FILES = 'entail:open-files';
export const OPEN_FOLDER = 'entail:open-folder';
export const SAVE_AS = 'entail:save-as';
/** The recent projects, and opening one of them. */
export const GET_RECENT = 'entail:get-recent';
export const OPEN_RECENT = 'entail:open-recent';
/** A menu runs a command of the page. */
export const COMMAND = 'entail:command';
/** The palette runs a command of the main process. */
export const RUN_HOST_COMMAND = 'entail:run-host-command';
/** The page reports which commands it can run now. */
export const REPORT_MENU = 'entail:report-menu';
/** The other windows, and showing one of them. */
export const GET_WINDOWS = 'entail:get-windows';
export const SHOW_WINDOW = 'entail:show-window';
/** Files dropped on the window. */
export const OPEN_DROPPED_FILES = 'entail:open-dropped-files';
export const COPY_TOKEN = 'entail:copy-token';
export const COPY_COMMAND = 'entail:copy-command';
export const SHOW_TOKEN = 'entail:show-token';
export const REPLACE_TOKEN = 'entail:replace-token';
export const GET_SETTINGS = 'entail:get-settings';
export const CHANGE_SETTINGS = 'entail:change-settings';
export const GET_PROJECTS_FOLDER = 'entail:get-projects-folder';
export const SELECT_PROJECTS_FOLDER = 'entail:select-projects-folder';
export const SHOW_FOLDER = 'entail:show-folder';
/** Facts of earlier versions, and deleting some of them. */
export const GET_OLD_FACTS = 'entail:get-old-facts';
export const DELETE_OLD_FACTS = 'entail:delete-old-facts';
/** The runtime's address. */
export const GET_RUNTIME_PLACE = 'entail:get-runtime-place';
/** The page requests the runtime's state; the main process replies. */
export const GET_RUNTIME_STATE = 'entail:get-runtime-state';
/** The main process reports to the page that the runtime's state changed. */
export const RUNTIME_STATE = 'entail:runtime-state';
/** The context menu asks the page to undo, redo or select all. */
export const EDIT = 'entail:edit';
/** The main process navigates the page to one of its addresses. */
export const GO_TO = 'entail:go-to';
