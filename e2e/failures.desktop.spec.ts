/** How the desktop application reports failures, and recovers from them. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { chooseItem, type Desktop, expect, openDesktop, test } from './support/desktop.js';
import { startInOwnProcess } from './support/running-server.js';

test('names the request that ran out of memory, keeps the facts, and does not repeat it', async ({ userData }) => {
  test.setTimeout(120_000);
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ server: { memoryMb: 96 } }));
  const desktop = await openDesktop(userData);
  try {
    const { page } = desktop;
    await openNotes(desktop, join(userData, 'notes'));
    expect(await addNote(page, 'kept')).toBe(200);
    for (let note = 0; note < 60; note += 1) await addNote(page, `note ${note}`);
    const before = await startOf(page);
    const [request, rest] = await page.evaluate(hungryQuery);
    expect(request, rest).toBe('no response');
    await expect(page.getByRole('alert').getByText(/^The server ran out of memory/)).toHaveText(
      'The server ran out of memory (limit 96 MB) during POST /v1/query/adhoc (all) and is restarting. ' +
        'Saved changes are kept. The request is not repeated. ' +
        'Request less at once, or raise the memory limit in Settings.',
    );
    await expect(page.getByRole('banner')).toContainText('Connected');
    await expect.poll(() => notesIn(page)).toContain('kept');
    const after = await startOf(page);
    expect(after).not.toBe(before);
    expect(await page.evaluate(hungryQuery)).toEqual(['413', expect.stringContaining('not sent again automatically')]);
    expect(await startOf(page)).toBe(after);
  } finally {
    await desktop.application.close();
  }
});

/** Sends a query with a huge result; resolves with its status and message. */
async function hungryQuery(): Promise<string[]> {
  const body = JSON.stringify({
    source: 'derive all(s: Text) when Note(a), Note(b), Note(c), Note(d), let s = a.text ++ b.text ++ c.text ++ d.text',
  });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/v1/query/adhoc', { method: 'POST', headers, body }).catch(() => undefined);
  if (response === undefined) return ['no response', ''];
  return [String(response.status), await response.text()];
}

test('reloads a crashed page with its drafts, and offers Reload, Open Logs and Quit the second time', async ({
  desktop,
}) => {
  const { application, page, userData } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  await stubQuestions(application, 'Reload');
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await source.press('Control+Home');
  await page.keyboard.type('// mine\n');
  // Drafts are stored after the next paint, so the last keys are safe a moment after they are shown.
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('// mine');
  const crash = () =>
    application.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          contents?.once('did-finish-load', () => resolve());
          contents?.forcefullyCrashRenderer();
        }),
    );
  const text = () =>
    application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        "document.querySelector('.cm-content')?.textContent ?? ''",
      ),
    );
  await crash();
  await expect.poll(text).toContain('// mine');
  expect(await questions(application)).toEqual([]);
  await crash();
  await expect.poll(text).toContain('// mine');
  expect(await questions(application)).toEqual([
    expect.stringMatching(/^The page stopped twice within ten seconds\. .*\[Reload\|Open Logs\|Quit\]$/s),
  ]);
  expect(readFileSync(join(userData, 'logs/main.log'), 'utf8')).toContain('The process of a page ended: ');
});

test('offers to wait for a page that hangs, or to reload it', async ({ desktop }) => {
  const { application, page } = desktop;
  await expect(page.getByText('In sync with server')).toBeVisible();
  await stubQuestions(application, 'Wait');
  await application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.emit('unresponsive');
  });
  await expect
    .poll(() => questions(application))
    .toEqual([expect.stringMatching(/^The page does not respond\. .*\[Wait\|Reload\]$/s)]);
});

test('takes over a lock left by a power cut, even if another process has its id', async ({ desktop }) => {
  const { page, userData } = desktop;
  const folder = writeNotes(join(userData, 'notes'));
  mkdirSync(join(folder, '.entail'));
  const lock = { pid: process.pid, host: hostname(), started: 'an earlier boot/1', file: null };
  writeFileSync(join(folder, '.entail/lock'), JSON.stringify(lock));
  await open(desktop, folder);
  await expect(page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
  expect(await addNote(page, 'kept')).toBe(200);
});

test('names another Entail that uses the facts, and opens them once it has ended', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  const folder = writeNotes(join(userData, 'notes'));
  const { ready, stop } = await startInOwnProcess([folder, '--port', '0'], []);
  const { pid } = JSON.parse(ready) as { pid: number };
  // The question stays open until the application closes it.
  await application.evaluate(({ dialog }) => {
    const showMessageBox = (_window: unknown, { detail, signal, cancelId }: Electron.MessageBoxOptions) =>
      new Promise((resolve) => {
        Object.assign(globalThis, { detail });
        signal?.addEventListener('abort', () => {
          Object.assign(globalThis, { detail: 'closed' });
          resolve({ response: cancelId });
        });
      });
    Object.assign(dialog, { showMessageBox });
  });
  const detail = () => application.evaluate(() => (globalThis as { detail?: string }).detail);
  await open(desktop, folder);
  await expect.poll(detail).toContain(`is in use by another Entail (process ${pid})`);
  await stop();
  await expect(page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
  await expect.poll(detail).toBe('closed');
});

test('names a damaged file of facts, and starts without facts in a new folder', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  const folder = join(userData, 'notes');
  await openNotes(desktop, folder);
  expect(await addNote(page, 'kept')).toBe(200);
  await openNotes(desktop, join(userData, 'others'));
  await expect.poll(() => notesIn(page)).toEqual([]);
  const facts = join(folder, '.entail');
  const journal = readdirSync(facts).find((name) => name.endsWith('.journal')) ?? '';
  const bytes = readFileSync(join(facts, journal));
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  writeFileSync(join(facts, journal), bytes);
  await stubQuestions(application, 'Show in Folder', 'Start Empty');
  await open(desktop, folder);
  await expect.poll(() => notesIn(page).then(() => existsSync(`${facts}-2`))).toBe(true);
  const [question = ''] = await questions(application);
  expect(question).toContain('The stored facts cannot be opened.');
  expect(question).toContain(`${join(facts, journal)} is damaged at offset`);
  expect(question).toContain(`Folder of the facts: ${facts}`);
  expect(question).toContain('[Open Another Folder…|Show in Folder|Start Empty|Keep Trying]');
  expect(question).not.toMatch(/--data|entail serve/);
  expect(await application.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(join(facts, journal));
  // A write that gets no response may have been stored.
  await expect.poll(() => addNote(page, 'new')).toBe(200);
  await expect.poll(async () => [...new Set(await notesIn(page))]).toEqual(['new']);
  expect(readFileSync(join(facts, journal))).toEqual(bytes);
});

test('backs up the facts, restores them as a new project, and repairs damaged ones', async ({ desktop }) => {
  const { application, page, userData } = desktop;
  const folder = join(userData, 'notes');
  const backup = join(userData, 'notes.backup');
  const [restored, repaired] = [join(userData, 'restored'), join(userData, 'repaired')];
  await openNotes(desktop, folder);
  expect(await addNote(page, 'kept')).toBe(200);
  await stubQuestions(application, 'OK', 'OK', 'Repair into a New Folder…', 'Use the New Folder');
  await selectInDialogs(application, [backup], [backup, restored, repaired]);
  const asked = (number: number) => expect.poll(async () => (await questions(application)).length).toBe(number);

  await chooseItem(desktop, 'back-up');
  await asked(1);
  expect((await questions(application))[0]).toMatch(/^The backup was saved\. .*notes\.backup \(1 KiB\)/);
  expect(await addNote(page, 'later')).toBe(200);

  await chooseItem(desktop, 'check-data');
  await asked(2);
  expect((await questions(application))[1]).toMatch(
    /^No damage found\. Checked \d files and \d facts, also against a fresh evaluation\./,
  );
  await expect.poll(() => notesIn(page)).toEqual(['kept', 'later']);

  const journal = readdirSync(join(folder, '.entail')).find((name) => name.endsWith('.journal')) ?? '';
  const path = join(folder, '.entail', journal);
  const bytes = readFileSync(path);
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const opened = application.waitForEvent('window');
  await chooseItem(desktop, 'restore');
  await expect.poll(async () => notesIn(await opened)).toEqual(['kept']);
  expect(existsSync(join(restored, 'notes.entail'))).toBe(true);
  await (await opened).close();

  await chooseItem(desktop, 'check-data');
  await asked(4);
  const [damage = '', copied = ''] = (await questions(application)).slice(2);
  expect(damage).toContain(`• ${journal} is damaged at offset`);
  expect(damage).toContain('[Repair into a New Folder…|Show in Folder|Close]');
  expect(copied).toMatch(/^The readable facts were copied\. The new folder .* has 1 transaction with 2 changes\./);
  await expect.poll(() => notesIn(page)).toEqual(['kept']);
  expect(existsSync(repaired)).toBe(true);
  expect(readFileSync(path)).toEqual(bytes);
});

/** In place of the dialogs: the files to open and to save, one after another. */
async function selectInDialogs(
  application: ElectronApplication,
  opened: readonly string[],
  saved: readonly string[],
): Promise<void> {
  await application.evaluate(
    ({ dialog }, [opening, saving]) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: opening.splice(0, 1) });
      dialog.showSaveDialog = async () => ({ canceled: false, filePath: saving.shift() ?? '' });
    },
    [[...opened], [...saved]] as [string[], string[]],
  );
}

test('refuses writes on a full disk, still reads, and recovers once there is room', async ({ desktop, smallDisk }) => {
  const { page } = desktop;
  await openNotes(desktop, join(smallDisk, 'notes'));
  expect(await addNote(page, 'kept')).toBe(200);
  fill(join(smallDisk, 'filler'));
  await expect(page.getByText(/The storage cannot be written: the disk is full/)).toContainText(
    /free at least \d+ MB and try again/,
  );
  // The journal has reserved room for some.
  const written = ['kept'];
  let status = 200;
  for (let note = 1; status === 200 && note <= 20; note += 1) {
    const text = `${note}: ${'x'.repeat(8_000)}`;
    status = await addNote(page, text);
    if (status === 200) written.push(text);
  }
  expect(status).toBe(500);
  expect((await notesIn(page))?.sort()).toEqual([...written].sort());
  rmSync(join(smallDisk, 'filler'));
  await expect(page.getByRole('banner')).toContainText('Connected');
  expect(await addNote(page, 'after')).toBe(200);
  expect((await notesIn(page))?.sort()).toEqual(['after', ...written].sort());
});

/** Writes until the disk is full. */
function fill(file: string): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // The next size fills the rest.
    }
  }
}

function writeNotes(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.entail'), 'module notes\n\npub concept Note { text: Text }\n');
  return folder;
}

async function openNotes(desktop: Desktop, folder: string): Promise<void> {
  await open(desktop, writeNotes(folder));
  await expect(desktop.page.getByRole('tab', { name: /^notes.entail/ })).toBeVisible();
  await expect(desktop.page.getByText('In sync with server')).toBeVisible();
}

/** Opens a folder as a user does, through the menu. */
async function open(desktop: Desktop, folder: string): Promise<void> {
  await expect(desktop.page.getByRole('link', { name: 'Module' })).toBeVisible();
  await desktop.application.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, folder);
  await chooseItem(desktop, 'open-folder');
}

/** Answers each question with the next label, and the last label again and again. */
async function stubQuestions(application: ElectronApplication, ...answers: readonly string[]): Promise<void> {
  await application.evaluate(({ dialog, shell }, labels) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    shell.showItemInFolder = (path) => Object.assign(globalThis, { shown: path });
    dialog.showMessageBox = (async (...args: { message: string; detail: string; buttons?: string[] }[]) => {
      const { message, detail, buttons = ['OK'] } = args.at(-1) as (typeof args)[number];
      asked.push(`${message} ${detail} [${buttons.join('|')}]`);
      const label = labels[Math.min(asked.length, labels.length) - 1] ?? '';
      return { response: buttons.indexOf(label), checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  }, answers);
}

function questions(application: ElectronApplication): Promise<string[]> {
  return application.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
}

/** The status of the response; 0 without one. */
async function addNote(page: Page, text: string): Promise<number> {
  const send = async (noted: string): Promise<number> => {
    const body = JSON.stringify({ source: `mutation add() { insert Note { text: "${noted}" } }` });
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/v1/mutation/adhoc', { method: 'POST', headers, body })).status;
  };
  return await page.evaluate(send, text).catch(() => 0);
}

/** Undefined while the server restarts, or serves another module. */
async function notesIn(page: Page): Promise<string[] | undefined> {
  const read = async (): Promise<string[] | undefined> => {
    const body = await fetch('/v1/individuals?class=notes::Note').then((response) => response.json());
    return body.result?.map(({ text }: { text: string }) => text);
  };
  return await page.evaluate(read).catch(() => undefined);
}

/** When the module was loaded, which a restart changes. */
async function startOf(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const body = await (await fetch('/v1/health')).json();
    return body.result.module.loadedAt as string;
  });
}
