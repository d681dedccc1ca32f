/**
 * Makes a configured Electron run the application's entry before it is ready, as Electron's own launcher does. Some launchers do
 * not wait for the entry, and setup that must happen before readiness is then too late. Loaded by `--require`.
 */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = join(__dirname, '..');
const becomeReady = process.appCodeLoaded;

if (becomeReady !== undefined) {
  const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  process.appCodeLoaded = () => {
    // Electron waits only while its event loop has work, and compiling modules does not count as work.
    const busy = setInterval(() => undefined, 10);
    const finish = () => {
      clearInterval(busy);
      becomeReady();
    };
    // The launcher reports what goes wrong here: it imports the same module, which fails the same way.
    import(pathToFileURL(join(root, main)).href).then(finish, finish);
  };
}
