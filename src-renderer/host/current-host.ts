/** The host of this page: Electron if its bridge is present, else a browser. */

import { browserHost } from './browser-host.js';
import { electronHost } from './electron-host.js';
import type { Host } from './host.js';

export const host: Host = electronHost() ?? browserHost();
