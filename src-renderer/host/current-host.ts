/** The host that shows this page: Electron where its bridge is there, else a browser. */

import { browserHost } from './browser-host.js';
import { electronHost } from './electron-host.js';
import type { Host } from './host.js';

export const host: Host = electronHost() ?? browserHost();
