/**
 * Where the desktop application starts: what must have happened before Electron is ready, and where everything lies. The rest is read
 * behind it: a machine that is busy has Electron ready before all of it is there, and then takes no scheme any more.
 */

import { join } from 'node:path';
import { app, protocol } from 'electron';
import { givenFiles } from './given-files.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';

const built = join(import.meta.dirname, '..');

const ownUserData = process.env['ENTAIL_USER_DATA'];
if (ownUserData !== undefined && ownUserData !== '') app.setPath('userData', ownUserData);

protocol.registerSchemesAsPrivileged([
  { scheme: WORKBENCH_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);

if (app.requestSingleInstanceLock()) {
  const given = givenFiles(app, process.argv.slice(1), process.cwd());
  const { runApplication } = await import('./application.js');
  runApplication({
    workerFile: join(built, 'main/runtime-worker.js'),
    preload: join(built, 'preload/index.cjs'),
    page: join(built, 'renderer'),
    sample: join(built, '../resources/modules/lease.entail'),
    icon: join(built, '../resources/icons/512x512.png'),
    userData: app.getPath('userData'),
    given,
  });
} else {
  app.quit();
}
