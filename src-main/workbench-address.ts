/** Where the desktop serves the workbench page from: an origin of its own, which no web page can have. */

export const WORKBENCH_SCHEME = 'app';
export const WORKBENCH_HOST = 'workbench';
export const WORKBENCH_ORIGIN = `${WORKBENCH_SCHEME}://${WORKBENCH_HOST}`;
