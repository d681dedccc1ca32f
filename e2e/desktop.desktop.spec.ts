/** The desktop application: the origin and permissions of its page, runtime restarts, opening files, menus and restored state. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { electronArguments, electronBinary } from '../scripts/electron-binary.mjs';
import { chooseItem, type Desktop, expect, openDesktop, test } from './support/desktop.js';
import { repository } from './support/temporary-folder.js';

test('opens the workbench from its own origin', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  expect(await page.evaluate(() => window.origin)).toBe('app://workbench');
});

test('forbids inline code, and never violates that policy', async ({ desktop }) => {
  const { page } = desktop;
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await page.reload();
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy') ?? '(none)');
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(refused).toEqual([]);
});

test('gives the page no Node, no Electron and no token', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  const found = await page.evaluate(() => ({
    // The id of an element is also a property of the window.
    names: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter((name) => {
      const value: unknown = (globalThis as unknown as Record<string, unknown>)[name];
      return value !== undefined && !(value instanceof Element);
    }),
    bridge: Object.keys((globalThis as { entailHost?: object }).entailHost ?? {}).sort(),
    kept: JSON.stringify({ ...sessionStorage, ...localStorage }).includes('token'),
  }));
  expect(found).toEqual({
    names: [],
    bridge: [
      'copyCommand',
      'copyToken',
      'desktop',
      'kind',
      'onCommand',
      'onEdit',
      'onGoTo',
      'onRuntimeState',
      'openDroppedFiles',
      'projects',
      'runtimePlace',
      'settings',
    ],
    kept: false,
  });
});

test('sandboxes and isolates the page, and permits it only to write to the clipboard', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  const preferences = await application.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as
      | { getLastWebPreferences(): Record<string, unknown> }
      | undefined;
    return contents?.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
  });
  const results = await page.evaluate(async () => {
    const refusal = (asked: Promise<unknown>) =>
      asked.then(
        () => 'granted',
        (error: { name?: string; code?: number }) => error.name ?? `code ${error.code}`,
      );
    return {
      notifications: await Notification.requestPermission(),
      reading: await refusal(navigator.clipboard.readText()),
      // A request for the camera fails earlier on a machine without one.
      camera: (await navigator.permissions.query({ name: 'camera' as PermissionName })).state,
      writing: await refusal(navigator.clipboard.writeText('written')),
      place: await new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code === GeolocationPositionError.PERMISSION_DENIED ? 'denied' : `code ${code}`),
        );
      }),
    };
  });
  expect(results).toEqual({
    notifications: 'denied',
    reading: 'NotAllowedError',
    camera: 'denied',
    writing: 'granted',
    place: 'denied',
  });
});

test('copies the token to the clipboard, where the page cannot read it', async ({ desktop }) => {
  const { application, page } = desktop;
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('banner')).toContainText('Connected');
  await chooseItem(desktop, 'copy-token');
  const clipboard = () => application.evaluate(({ clipboard: system }) => system.readText());
  await expect.poll(clipboard).toMatch(/^[\w-]{43}$/);
  const token = await clipboard();
  const readable = await page.evaluate(async () => {
    const host = (globalThis as unknown as { entailHost: { runtimePlace(): Promise<unknown> } }).entailHost;
    const responses = await Promise.all(
      ['/v1/health', '/v1/requests'].map(async (path) => {
        const response = await fetch(path);
        return [...response.headers].join() + (await response.text());
      }),
    );
    const storage = { ...sessionStorage, ...localStorage };
    return JSON.stringify([document.documentElement.outerHTML, storage, await host.runtimePlace(), responses]);
  });
  expect(readable).toContain('127.0.0.1');
  expect(readable).not.toContain(token);
});

test('blocks navigation away from the workbench, and new windows', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
  // Listens before the page tries. Otherwise the attempt could be over first.
  await application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.once('will-frame-navigate', (event) => {
      Object.assign(globalThis, { navigationRefused: event.defaultPrevented });
    });
  });
  await page.evaluate(() => window.location.assign('https://example.com/'));
  const refused = () =>
    application.evaluate(() => (globalThis as { navigationRefused?: boolean }).navigationRefused ?? null);
  await expect.poll(refused).toBe(true);
  const urls = await application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL()),
  );
  expect(urls).toEqual([expect.stringMatching(/^app:\/\/workbench\//)]);
});

test('refuses API requests from a page of another origin in the same session', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByRole('banner')).toContainText('Connected');
  const responses = await application.evaluate(async ({ BrowserWindow }) => {
    const other = new BrowserWindow({ show: false });
    try {
      await other.loadURL('data:text/html,<p>other</p>');
      return (await other.webContents.executeJavaScript(`(async () => {
        const ask = async (...request) => {
          const response = await fetch(...request);
          return [response.status, await response.text()];
        };
        const body = JSON.stringify({ id: 'foreign' });
        const headers = { 'content-type': 'application/json' };
        return [
          await ask('app://workbench/v1/health'),
          await ask('app://workbench/v1/forks', { method: 'POST', headers, body }),
        ];
      })()`)) as unknown;
    } finally {
      other.destroy();
    }
  });
  expect(responses).toEqual([
    [403, 'Forbidden'],
    [403, 'Forbidden'],
  ]);
  const forks = await page.evaluate(async () => (await fetch('/v1/forks')).text());
  expect(forks).not.toContain('foreign');
});

test('shows the address and data folder of the runtime in Settings, and copies them', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const address = page.getByRole('region', { name: 'Address of the server' });
  await expect(address).toContainText(/^http:\/\/127\.0\.0\.1:\d+$/);
  await page.getByRole('button', { name: 'Copy Address of the server' }).click();
  const clipboard = () => application.evaluate(({ clipboard: system }) => system.readText());
  await expect.poll(clipboard).toBe(await address.innerText());
  await page.getByRole('link', { name: 'Storage' }).click();
  await expect(page.getByRole('region', { name: 'Data directory' })).toContainText(userData);
});

// Tested on the desktop, because the browsers of other journeys have no scrollbars and lay out buttons differently.
test('ends a list header where its rows end, beside the scrollbar, and scrolls no list sideways', async ({
  desktop,
}) => {
  const { page } = desktop;
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
  await page.keyboard.insertText(`query q() -> Int { value ${Array(40).fill('1').join(' + ')} }`);
  const succeeded = page.getByRole('button', { name: /^succeeded q/ });
  for (let runs = 0; runs < 40; runs += 1) await page.evaluate(() => fetch('/v1/nothing'));
  await page.keyboard.press('Control+Enter');
  await expect(succeeded.first()).toBeVisible();
  const history = page.getByRole('region', { name: 'Saved queries' });
  expect(await history.evaluate(sidewaysScrollers)).toEqual([]);
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  const time = page.getByRole('option').first().locator('time');
  await expect(time).toBeVisible();
  expect(await endOf(time)).toBe(await endOf(page.getByRole('button', { name: /^At/ })));
});

function sidewaysScrollers(part: Element): string[] {
  return [...part.querySelectorAll('*')]
    .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth)
    .map(({ className }) => className);
}

/** The right edge, in pixels from the left. */
async function endOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null ? Number.NaN : Math.round(box.x + box.width);
}

test('serves the API to the page without a token', async ({ desktop }) => {
  const health = await desktop.page.evaluate(async () => {
    for (;;) {
      const response = await fetch('/v1/health').catch(() => undefined);
      if (response !== undefined) return { status: response.status, body: await response.json() };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  expect(health.status).toBe(200);
  expect(health.body).toMatchObject({
    result: {},
    requestId: expect.any(String),
    moduleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('notifies the page when the runtime restarts', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByRole('link', { name: 'Module' })).toBeVisible();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const host = (
      globalThis as unknown as { entailHost: { onRuntimeState(callback: (state: { state: string }) => void): void } }
    ).entailHost;
    host.onRuntimeState(({ state }) => seen.push(state));
  });
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  await expect.poll(seen).toContain('ready');
  await chooseItem(desktop, 'restart-runtime');
  await expect.poll(async () => (await seen()).slice(-2)).toEqual(['restarting', 'ready']);
  await expect(page.getByRole('banner')).toContainText('Connected');
  expect(await page.evaluate(async () => (await fetch('/v1/health')).status)).toBe(200);
});

test('copies the sample module for the user, and keeps it over a restart', async ({ desktop, userData }) => {
  await expect(desktop.page.getByRole('link', { name: 'Module' })).toBeVisible();
  await desktop.application.close();
  const again = await openDesktop(userData);
  try {
    const files = await again.page.evaluate(async () => {
      for (;;) {
        const response = await fetch('/v1/module').catch(() => undefined);
        if (response !== undefined) return JSON.stringify(await response.json());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    expect(files).toContain('lease');
  } finally {
    await again.application.close();
  }
});

test('reports a missing module file, offers another, and shows nothing of the module before', async ({ desktop }) => {
  const { page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const broken = join(userData, 'broken.entail');
  writeFileSync(broken, 'module broken\n\npub concept Thing { name: Txt }\n');
  await openFromMenu(desktop, broken);
  const problems = page.getByRole('button', { name: /^Problems/ });
  await expect(problems).toHaveText(/1 error/);
  await openFromMenu(desktop, join(userData, 'gone.entail'));
  await expect(page.getByRole('alert')).toContainText('The file "gone.entail" does not exist');
  await expect(page.getByRole('button', { name: 'Open module files' })).toBeVisible();
  await expect(problems).toHaveText(/0 errors/);
  await expect(page.getByRole('navigation', { name: 'Panels' })).not.toContainText('Firings');
});

test('offers an open file that was deleted again after a restart, with its draft', async ({ desktop, userData }) => {
  const file = join(userData, 'modules/lease.entail');
  const source = (page: Page) => page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(desktop.page.getByText('In sync with server')).toBeVisible();
  await source(desktop.page).press('Control+Home');
  await desktop.page.keyboard.type('// mine\n');
  await desktop.page.getByText('Unsaved changes', { exact: true }).waitFor();
  rmSync(file);
  await desktop.application.close();
  const { application, page } = await openDesktop(userData);
  try {
    await expect(page.getByRole('alert')).toContainText('lease.entail was deleted or renamed on disk');
    await expect(source(page)).toContainText('// mine');
    await source(page).press('Control+s');
    await expect(page.getByText('Saved and reloaded at')).toBeVisible();
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ mine\n/);
  } finally {
    await application.close();
  }
});

test('keeps the facts of a project when a file is added or the folder is renamed, and in a browser', async ({
  desktop,
}) => {
  const { page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const [before, after] = [join(userData, 'before'), join(userData, 'after')];
  writeNotes(before);
  await openFromMenu(desktop, join(before, 'notes.entail'));
  await expect(page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
  await addNote(page);
  writeFileSync(join(before, 'tags.entail'), 'module tags\n\npub concept Tag { name: Text }\n');
  await openFromMenu(desktop, before);
  await expect(page.getByRole('tab', { name: /^tags.entail/ })).toBeVisible();
  await expect.poll(() => notesIn(page)).toEqual(['kept']);
  await chooseItem(desktop, 'Close Project');
  await expect(page.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
  renameSync(before, after);
  await openFromMenu(desktop, join(after, 'notes.entail'), join(after, 'tags.entail'));
  await expect(page.getByRole('tab', { name: /^tags.entail/ })).toBeVisible();
  await expect.poll(() => notesIn(page)).toEqual(['kept']);
  expect(existsSync(join(after, '.entail'))).toBe(true);
});

test('offers facts that an earlier version stored elsewhere, and copies them beside the files', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const folder = join(userData, 'notes');
  writeNotes(folder);
  await openFromMenu(desktop, join(folder, 'notes.entail'));
  await expect(page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
  await addNote(page);
  await chooseItem(desktop, 'Close Project');
  await expect(page.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
  mkdirSync(join(userData, 'data'), { recursive: true });
  renameSync(join(folder, '.entail'), join(userData, 'data/notes-0123456789ab'));
  await application.evaluate(({ dialog }) => {
    dialog.showMessageBox = (async (_window: unknown, { message, buttons }: { message: string; buttons: string[] }) => {
      Object.assign(globalThis, { lastQuestion: message });
      return { response: buttons.indexOf('Use Them'), checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  });
  await openFromMenu(desktop, join(folder, 'notes.entail'));
  await expect.poll(() => notesIn(page)).toEqual(['kept']);
  expect(await application.evaluate(() => (globalThis as { lastQuestion?: string }).lastQuestion)).toBe(
    'There are stored facts of the module notes.',
  );
});

test('asks for another folder for facts that cannot be stored beside the files, and uses it again', async ({
  desktop,
}) => {
  const { application, page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const [folder, facts] = [join(userData, 'fixed'), join(userData, 'elsewhere')];
  writeNotes(folder);
  writeFileSync(join(folder, '.entail'), 'a file in the place of the folder');
  await application.evaluate(({ dialog }) => {
    dialog.showMessageBox = (async (_window: unknown, { message, buttons }: { message: string; buttons: string[] }) => {
      Object.assign(globalThis, { lastQuestion: message });
      return { response: buttons.indexOf('Choose Folder…'), checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  });
  const answers = [[join(folder, 'notes.entail')], [facts]];
  await application.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: chosen.shift() ?? [] });
  }, answers);
  await chooseItem(desktop, 'Open Files…');
  await expect(page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
  await addNote(page);
  expect(await application.evaluate(() => (globalThis as { lastQuestion?: string }).lastQuestion)).toBe(
    'Facts cannot be stored beside these files.',
  );
  expect(existsSync(facts)).toBe(true);
  await chooseItem(desktop, 'Close Project');
  await expect(page.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
  await openFromMenu(desktop, join(folder, 'notes.entail'));
  await expect.poll(() => notesIn(page)).toEqual(['kept']);
});

test('runs the same commands from the project menu and the File menu', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  const project = (name: string) => page.getByRole('button', { name: `Project ${name}`, exact: true });
  // The page loads again for another project, and a command before that is lost.
  const openWith = async (item: string) => {
    await page.evaluate(() => Object.assign(window, { isBefore: true }));
    await chooseItem(desktop, item);
    await page.waitForFunction(() => !('isBefore' in window));
  };
  await expect(page.getByText('In sync with server')).toBeVisible();
  await openWith('New Module');
  await expect(page.getByRole('textbox', { name: 'Source of first.entail' })).toBeVisible();
  expect(existsSync(join(userData, 'projects/first/first.entail'))).toBe(true);
  await openWith('supply');
  await expect(project('supply')).toBeVisible();
  await chooseItem(desktop, 'Add File…');
  await page.getByLabel('File name').fill('more');
  await page.getByRole('button', { name: 'Add file' }).click();
  await expect(page.getByRole('tab', { name: /^more.entail/ })).toBeVisible();
  await application.evaluate(
    ({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    },
    join(userData, 'saved'),
  );
  await project('more, supply').click();
  await page.getByRole('menuitem', { name: 'Save as…' }).click();
  await expect.poll(() => existsSync(join(userData, 'saved/.entail'))).toBe(true);
  await expect(page.getByRole('tab', { name: /^more.entail/ })).toBeVisible();
  await project('more, supply').click();
  await page.getByRole('menuitem', { name: 'Recent' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'first', exact: true }).click();
  await expect(project('first')).toBeVisible();
});

test('exports all rows to the file of the save dialog', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const file = join(userData, 'exported.csv');
  // In place of the dialog that Electron shows for a download.
  await application.evaluate(({ BrowserWindow }, path) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.webContents.session.once('will-download', (_event, item) => item.setSavePath(path));
  }, file);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByRole('link', { name: /^Lease / }).click();
  const list = page.getByRole('region', { name: 'List' });
  await list.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'As CSV' }).click();
  await expect(page.getByText('All rows exported to Lease.csv')).toBeVisible();
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/^\$id,code,.*\r\n@lease::/);
});

function writeNotes(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.entail'), 'module notes\n\npub concept Note { text: Text }\n');
}

async function addNote(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({ source: 'mutation add() { insert Note { text: "kept" } }' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/v1/mutation/adhoc', { method: 'POST', headers, body })).status;
  });
  expect(status).toBe(200);
}

/** Empty while the server restarts. */
async function notesIn(page: Page): Promise<string[]> {
  const read = async (): Promise<string[]> => {
    const body = await fetch('/v1/individuals?class=notes::Note').then((response) => response.json());
    return (body.result ?? []).map(({ text }: { text: string }) => text);
  };
  return await page.evaluate(read).catch(() => []);
}

test('opens a repro bundle with its facts, and reports a file that is not one', async ({ desktop }) => {
  const { page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const bundle = await page.evaluate(async () => {
    const ask = async (path: string) => (await fetch(path)).json();
    const { result: artifact } = await ask('/v1/module/artifact');
    const { result: requests } = await ask('/v1/requests?limit=1');
    const { result: request } = await ask(`/v1/requests/${requests[0].requestId}`);
    const savedAt = new Date().toISOString();
    const about = { seq: 7, txn: 3, at: savedAt, id: '#i1' };
    const events = [
      { ...about, kind: 'insertIndividual', concept: 'lease::Person' },
      { ...about, seq: 8, kind: 'setField', field: 'lease::Party.name', value: 'Of the bundle' },
    ];
    const fork = { id: 'main', baseSeq: 0, status: 'open', createdAt: savedAt };
    const scope = { tenant: null, fork, events };
    return { format: 'entail-repro', formatVersion: 1, savedAt, version: '1', artifact, scope, request };
  });
  const file = join(userData, 'asked.repro.json');
  writeFileSync(file, JSON.stringify(bundle));
  const picture = join(userData, 'picture.png');
  writeFileSync(picture, '');
  await dropFile(page, picture);
  await expect(page.getByRole('alert')).toContainText('picture.png is not a module (.entail), artifact');
  // The page loads anew for another project.
  const loading = page.waitForEvent('load');
  await dropFile(page, file);
  await loading;
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: /^Person / }).click();
  await expect(page.getByRole('link', { name: 'Of the bundle' })).toBeVisible();

  const notes = join(userData, 'notes.json');
  writeFileSync(notes, '{}');
  await openFromMenu(desktop, notes);
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Not a valid artifact');
  await expect(page.getByRole('main')).toContainText('The menu File, Open Recent lists earlier files');
  const torn = join(userData, 'torn.json');
  writeFileSync(torn, '{');
  await openFromMenu(desktop, torn);
  await expect(page.getByRole('alert'), 'replaces the message for the previous file').toContainText('it is not JSON');
});

test('opens shortcuts, error codes and About from the Help menu, without a reload', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const loaded = await page.evaluate(() => performance.timeOrigin);
  const choose = (id: string) => chooseItem(desktop, id);
  await choose('shortcuts');
  await expect(page.getByRole('list', { name: 'Shortcuts' })).toBeVisible();
  await choose('error-codes');
  await expect(page.getByText('SVC_RUNTIME_MODULE_INCOMPATIBLE').first()).toBeVisible();
  await choose('about');
  await expect(page.getByRole('region', { name: 'Built with' })).toContainText('LICENSES.chromium.html');
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
});

test('enables in the menus what the page can do, and shows the panels and settings that are on', async ({
  desktop,
}) => {
  const { page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const item = (id: string) => stateOfItem(desktop, id);
  // Until the page reports what it can do, everything is enabled.
  await expect.poll(() => item('compare')).toMatchObject({ enabled: false });
  expect(await item('add-cursor-below')).toMatchObject({ enabled: true });
  expect(await item('save')).toMatchObject({ enabled: true, accelerator: 'CmdOrCtrl+S' });
  await chooseItem(desktop, 'wrap');
  await expect.poll(() => item('wrap')).toMatchObject({ checked: true });
  await expect(page.locator('.cm-lineWrapping').first()).toBeVisible();
  await chooseItem(desktop, 'panel:Data');
  await expect(page).toHaveURL(/\/data/);
  await expect.poll(() => item('add-cursor-below')).toMatchObject({ enabled: false });
  await chooseItem(desktop, 'new-fork');
  await expect.poll(() => item('compare')).toMatchObject({ enabled: true });
  await chooseItem(desktop, 'tests');
  await expect(page).toHaveURL(/\/tests/);
});

test('edits at several cursors from the Selection menu', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.getByRole('textbox', { name: 'Source of lease.entail' }).press('Control+Home');
  const lines = page.locator('.cm-line');
  const first = await lines.nth(0).innerText();
  await chooseItem(desktop, 'copy-line-down');
  await chooseItem(desktop, 'move-line-down');
  await chooseItem(desktop, 'add-cursor-above');
  await expect(page.locator('.cm-cursor')).toHaveCount(2);
  await page.keyboard.press('Home');
  await page.keyboard.type('xyz');
  await expect(page.locator('.cm-line', { hasText: /^xyz/ })).toHaveCount(2);
  await chooseItem(desktop, 'toggle-comment');
  await expect(page.locator('.cm-line', { hasText: /^\/\/ xyz/ })).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  expect(first).not.toBe('');
  await chooseItem(desktop, 'find');
  await expect(page.getByRole('search', { name: 'Find in the text' })).toBeVisible();
  await chooseItem(desktop, 'replace');
  await expect(page.getByRole('textbox', { name: 'Replace' })).toBeVisible();
});

test('runs native commands from the palette: zoom, windows, and a restart of the runtime', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const runFromPalette = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to or run' });
    await palette.getByLabel('Go to or run', { exact: true }).fill(name);
    await palette.getByRole('button', { name }).first().click();
    await expect(palette).toBeHidden();
  };
  const zoom = () =>
    application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await runFromPalette('Zoom in');
  await expect.poll(zoom).toBe(0.5);
  await runFromPalette('Actual size');
  await expect.poll(zoom).toBe(0);
  const opening = application.waitForEvent('window');
  await runFromPalette('New window');
  const second = await opening;
  await expect(second.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
  await runFromPalette('Copy the versions');
  await expect
    .poll(() => application.evaluate(({ clipboard }) => clipboard.readText()))
    .toMatch(/^Entail .+, Electron /);
  await runFromPalette('Restart the runtime');
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.bringToFront();
  await runFromPalette('Show window');
  await expect.poll(() => titleInFront(desktop)).not.toContain('lease');
});

async function stateOfItem({ application }: Desktop, id: string): Promise<object | null | undefined> {
  return await application.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    return item && { enabled: item.enabled, checked: item.checked, accelerator: item.accelerator };
  }, id);
}

test('applies Undo and Redo of the Edit menu to the focused editor or field', async ({ desktop }) => {
  const { page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const choose = (id: string) => chooseItem(desktop, id);
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await source.press('Control+Home');
  await page.keyboard.type('// first');
  // Moves the line. The undo history of the browser has no such step.
  await source.press('Alt+ArrowDown');
  const line = page.locator('.cm-line').first();
  await expect(line).not.toContainText('// first');
  await choose('undo');
  await expect(line).toContainText('// first');
  await choose('undo');
  await expect(line).not.toContainText('// first');
  await choose('redo');
  await expect(line).toContainText('// first');
  // Selects the whole text, although the page has elements only for the visible lines.
  await choose('select-all');
  const selected = () => page.evaluate(() => document.getSelection()?.toString() ?? '');
  await expect.poll(selected).toContain('module lease');
  await page.keyboard.press('Delete');
  await expect(source).toHaveText('');
  await choose('undo');
  await expect(line).toContainText('// first');
  const outline = page.getByRole('textbox', { name: 'Filter the outline' });
  await outline.pressSequentially('lia');
  await choose('undo');
  // Chromium may undo letters that were typed fast at once.
  await expect(outline).toHaveValue(/^(li?)?$/);
  await expect(line).toContainText('// first');
});

test('closes a sheet or a tab on Ctrl+W, never the window, and zooms on Ctrl+=', async ({ desktop }) => {
  const { application, page } = desktop;
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await page.getByRole('textbox', { name: 'Ad-hoc text' }).click();
  await page.keyboard.press('Alt+t');
  const tabs = page.getByRole('tablist', { name: 'Queries' }).getByRole('tab');
  await expect(tabs).toHaveCount(2);
  // Keys that Playwright sends never reach the menu. This one does if the page does not handle it.
  const press = (keyCode: string) =>
    application.evaluate(({ BrowserWindow }, code) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.sendInputEvent({ type: 'keyDown', keyCode: code, modifiers: ['control'] });
      contents?.sendInputEvent({ type: 'keyUp', keyCode: code, modifiers: ['control'] });
    }, keyCode);
  const zoom = () =>
    application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel());
  await page.getByRole('button', { name: /^Project / }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Rename' });
  await expect(sheet).toBeVisible();
  await press('w');
  await expect(sheet).toBeHidden();
  await expect(tabs).toHaveCount(2);
  await press('w');
  await expect(tabs).toHaveCount(1);
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await press('w');
  await press('=');
  await expect.poll(zoom).toBe(0.5);
  await expect(page.getByRole('tab', { name: /^lease.entail/ })).toBeVisible();
});

test('asks before it reloads a page that crashed twice within ten seconds', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const question = await application.evaluate(async ({ BrowserWindow, dialog }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const crash = () =>
      new Promise<void>((resolve) => {
        contents?.once('did-finish-load', () => resolve());
        contents?.forcefullyCrashRenderer();
      });
    await crash();
    let shown = '';
    dialog.showMessageBox = (async (_window: unknown, { message }: { message: string }) => {
      shown = message;
      return { response: 0, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
    await crash();
    return shown;
  });
  expect(question).toBe('The page stopped twice within ten seconds.');
});

test('opens files of a second start in a new window, or shows the window that has them', async ({
  desktop,
  userData,
}) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const folder = join(userData, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'NOTES.ENTAIL'), 'module notes\n');
  writeFileSync(join(folder, 'picture.png'), '');
  await application.evaluate(({ dialog }) => {
    dialog.showMessageBox = (async (_window: unknown, { message }: { message: string }) => {
      Object.assign(globalThis, { lastQuestion: message });
      return { response: 0, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  });
  const opening = application.waitForEvent('window');
  await startAgain(userData, join(folder, 'picture.png'), 'entail://open/x.entail', folder);
  const second = await opening;
  await expect(second.getByRole('tab', { name: /^NOTES.ENTAIL/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^lease.entail/ })).toBeVisible();
  expect(await application.evaluate(() => (globalThis as { lastQuestion?: string }).lastQuestion)).toContain(
    'picture.png is not a module (.entail)',
  );
  const settings: { recent: string[][] } = JSON.parse(readFileSync(join(userData, 'settings.json'), 'utf8'));
  expect(settings.recent[0]).toEqual([folder]);

  symlinkSync(join(userData, 'modules/lease.entail'), join(userData, 'link.entail'));
  await startAgain(userData, join(userData, 'link.entail'));
  await expect.poll(() => titleInFront(desktop)).toContain('lease');
  expect(application.windows()).toHaveLength(2);
});

test('opens two projects in two windows, each with its own facts, and both again after a restart', async ({
  desktop,
  userData,
}) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  const folder = join(userData, 'notes');
  writeNotes(folder);
  const opening = application.waitForEvent('window');
  await chooseItem(desktop, 'New Window');
  const second = await opening;
  await expect(second.getByRole('heading', { name: 'Welcome to Entail' })).toBeVisible();
  await openFromMenu(desktop, folder);
  await expect(second.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(second.getByText('In sync with server')).toBeVisible();
  await addNote(second);
  await expect.poll(() => notesIn(second)).toEqual(['kept']);
  expect(await page.evaluate(async () => (await fetch('/v1/module')).text())).not.toContain('notes');
  await page.reload();
  await expect(page.getByRole('tab', { name: /^lease.entail/ })).toBeVisible();
  await application.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ title }) => title.includes('notes'));
    window?.setBounds({ x: 40, y: 50, width: 950, height: 650 });
  });
  await expect.poll(() => readFileSync(join(userData, 'settings.json'), 'utf8')).toContain('"width": 950');
  await application.close();

  const again = await openDesktop(userData);
  try {
    await expect.poll(() => again.application.windows().length).toBe(2);
    const pages = again.application.windows();
    for (const each of pages) await expect(each.getByText('In sync with server')).toBeVisible();
    const places = await again.application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => [window.title.includes('notes'), window.getBounds().width]),
    );
    expect(places).toContainEqual([true, 950]);
    expect(places).not.toContainEqual([false, 950]);
  } finally {
    await again.application.close();
  }
});

test('asks about unsaved texts when one of several windows closes, and saves them', async ({ desktop, userData }) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  await page.getByRole('textbox', { name: 'Source of lease.entail' }).press('Control+Home');
  await page.keyboard.type('// mine\n');
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
  const opening = application.waitForEvent('window');
  await chooseItem(desktop, 'New Window');
  await opening;
  await application.evaluate(({ dialog, BrowserWindow }) => {
    dialog.showMessageBox = (async (_window: unknown, { message, buttons }: { message: string; buttons: string[] }) => {
      Object.assign(globalThis, { lastQuestion: message });
      return { response: buttons.indexOf('Save'), checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
    BrowserWindow.getAllWindows()
      .find(({ title }) => title.includes('lease'))
      ?.close();
  });
  await expect.poll(() => application.windows().length).toBe(1);
  expect(await application.evaluate(() => (globalThis as { lastQuestion?: string }).lastQuestion)).toBe(
    'Save the changes before the window closes?',
  );
  expect(readFileSync(join(userData, 'modules/lease.entail'), 'utf8')).toMatch(/^\/\/ mine\n/);
});

/** Starts the application once more, which passes its arguments to the running one, and ends. */
async function startAgain(userData: string, ...args: readonly string[]): Promise<void> {
  const started = spawn(electronBinary() ?? '', [...electronArguments(), repository, ...args], {
    env: { ...process.env, ENTAIL_USER_DATA: userData },
    stdio: 'ignore',
  });
  await once(started, 'exit');
}

/** The title of the window that commands of the menus are for. */
async function titleInFront({ application }: Desktop): Promise<string> {
  return await application.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.title ?? '');
}

/** Drops a file of the system on the window. */
async function dropFile(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.ariaLabel = 'Dropped file';
    document.body.append(input);
  });
  const input = page.getByLabel('Dropped file');
  await input.setInputFiles(file);
  await input.evaluate((element: HTMLInputElement) => {
    const dataTransfer = new DataTransfer();
    for (const each of element.files ?? []) dataTransfer.items.add(each);
    element.remove();
    document
      .querySelector('main')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
}

/** Chooses *Open Files…* and selects these files in its dialog. */
async function openFromMenu(desktop: Desktop, ...files: readonly string[]): Promise<void> {
  await desktop.application.evaluate(({ dialog }, paths) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [...paths] });
  }, files);
  await chooseItem(desktop, 'open-files');
}

test('restores drafts, panel and window size after a reload, a crash and a restart', async ({ desktop, userData }) => {
  const source = (page: Page) => page.getByRole('textbox', { name: 'Source of lease.entail' });
  const query = (page: Page) => page.getByRole('textbox', { name: 'Ad-hoc text' });
  const open = (page: Page, panel: string) => page.getByRole('link', { name: panel, exact: true }).click();
  const outline = (page: Page) => page.getByRole('textbox', { name: 'Filter the outline' });
  const expectRestored = async (page: Page) => {
    await expect(query(page)).toContainText('half a query');
    await open(page, 'Module');
    await expect(source(page)).toContainText('// not saved');
    await expect(outline(page)).toHaveValue('lia');
    await open(page, 'Query');
  };

  const { application, page } = desktop;
  await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1000, 700));
  await open(page, 'Module');
  await source(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// not saved\n');
  await outline(page).fill('lia');
  await open(page, 'Query');
  await query(page).click();
  await page.keyboard.type('half a query');
  await page.reload();
  await expectRestored(page);

  await test.step('reloads the page after its process crashed', async () => {
    const loaded = application.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          contents?.once('did-finish-load', () => resolve());
          contents?.forcefullyCrashRenderer();
        }),
    );
    await loaded;
  });

  await test.step('restores them after a kill', async () => {
    // Drafts are written while the application runs, not only when it ends.
    await expect.poll(() => storedOnDisk(userData, 'entail.place')).toContain('/query');
    const ended = once(application.process(), 'exit');
    application.process().kill('SIGKILL');
    await ended;
    const again = await openDesktop(userData);
    try {
      await expectRestored(again.page);
      const size = await again.application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
      expect(size).toEqual([1000, 700]);
    } finally {
      await again.application.close();
    }
  });
});

/** The last value that the browser's storage wrote for a key, and the bytes after it. */
function storedOnDisk(userData: string, key: string): string {
  const folder = join(userData, 'Local Storage/leveldb');
  const logs = readdirSync(folder).filter((file) => file.endsWith('.log'));
  const text = logs.map((file) => readFileSync(join(folder, file), 'latin1')).join('');
  return text.slice(text.lastIndexOf(key)).slice(0, 80);
}
