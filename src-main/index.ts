/** Entry point of the desktop application: setup that must happen before Electron is ready, and all paths. */

import { readdirSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { join } from 'node:path';
import { app, protocol } from 'electron';
import { commandArguments, refusedSwitch, reportRefusedSwitch, runCommandLine } from './command-line.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';

const built = join(import.meta.dirname, '..');

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
  app.exit(await runCommandLine(command, join(built, 'main'), app.getVersion()));
} else if (app.requestSingleInstanceLock()) {
  // Loaded last, so that the scheme is registered as early as possible: Electron refuses it once the application is ready.
  const { runApplication } = await import('./application.js');
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
