/** Ends the application once its page is in sync with the server. Electron loads it by `--require` for `code-cache.mjs`. */

const { isMainThread } = require('node:worker_threads');

// Its threads load this too. Electron's module is not there yet.
if (isMainThread) setImmediate(quitOnceInSync);

function quitOnceInSync() {
  const { app } = require('electron');
  app.once('browser-window-created', (_event, window) => {
    window.webContents.once('dom-ready', () => {
      void window.webContents.executeJavaScript(`(${inSync})()`).then(() => app.quit());
    });
  });
}

/** Runs in the page. */
function inSync() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('footer')?.textContent.includes('In sync with server')) resolve();
      else setTimeout(look, 50);
    };
    look();
  });
}
