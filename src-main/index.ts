/** Entry point of the desktop application: setup that must happen before Electron is ready, and all paths. */

import { readdirSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { app, protocol } from 'electron';
import { runScript } from './cached-script.js';
import { commandArguments, refusedSwitch, reportRefusedSwitch } from './command-line.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';

const built = join(import.meta.dirname, '..');
const scripts = join(built, 'main/desktop');

/**
 * SQLite is WebAssembly. By default, V8 optimizes its two largest functions after a few hundred instructions of SQL, which every start
 * exceeds. That takes 180 ms of CPU time and 27 MB. With this budget, it waits for some milliseconds of queries (bench:desktop). All
 * threads share V8's flags, and compiled code is valid only with the same flags, so this comes first.
 */
setFlagsFromString('--wasm-tiering-budget=1000000000');

const ownUserData = process.env['ENTAIL_USER_DATA'];
if (ownUserData !== undefined && ownUserData !== '') {
  app.setPath('userData', ownUserData);
  app.setAppLogsPath(join(ownUserData, 'logs'));
}

protocol.registerSchemesAsPrivileged([
  {
    scheme: WORKBENCH_SCHEME,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]);

const refused = refusedSwitch(process.argv.slice(1), {
  platform: process.platform,
  isPackaged: app.isPackaged,
  isInspected: inspectorUrl() !== undefined,
});
const command = commandArguments(process.argv.slice(app.isPackaged ? 1 : 2));
if (refused !== undefined) {
  app.exit(await reportRefusedSwitch(refused));
} else if (command !== undefined) {
  const { runCommandLine } = runScript(join(scripts, 'run-command-line.cjs')) as typeof import('./run-command-line.js');
  app.exit(await runCommandLine(command, join(built, 'main'), app.getVersion()));
} else if (app.requestSingleInstanceLock()) {
  // Loaded last, so that the scheme is registered as early as possible: Electron refuses it once the application is ready.
  const { runApplication } = runScript(join(scripts, 'application.cjs')) as typeof import('./application.js');
  runApplication({
    workerFile: join(built, 'main/runtime-worker.js'),
    preload: join(built, 'preload/index.cjs'),
    page: join(built, 'renderer'),
    sample: join(built, '../resources/modules/lease.entail'),
    samples: readdirSync(join(built, '../resources/modules')).map((file) => file.replace('.entail', '')),
    icon: join(built, '../resources/icons/128x128.png'),
    userData: app.getPath('userData'),
    logs: app.getPath('logs'),
  });
} else {
  app.quit();
}
