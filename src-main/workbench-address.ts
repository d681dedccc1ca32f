/** The address of the workbench page in the desktop: a separate origin, which no web page can have. */

export const WORKBENCH_SCHEME = 'app';
export const WORKBENCH_HOST = 'workbench';
export const WORKBENCH_ORIGIN = `${WORKBENCH_SCHEME}://${WORKBENCH_HOST}`;
