/** The host of this page: Electron if its bridge is present, else a browser. */

import { browserHost } from './browser-host.js';
import { electronHost } from './electron-host.js';
import type { Host } from './host.js';

/** Unit tests load modules of the page in Node, where no page exists. They never use the host. */
const isPage = 'window' in globalThis;

export const host: Host = isPage ? (electronHost() ?? browserHost()) : ({ kind: 'browser' } as Host);
