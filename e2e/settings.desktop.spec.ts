/** The settings of the desktop: port, token, limits, grants and folders, each kept over a restart. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, openDesktop, test } from './support/desktop.js';

const run = promisify(execFile);

test('keeps its port and token over restarts, and copies commands that work when pasted', async ({
  desktop,
  userData,
}) => {
  const port = await freePort();
  const { page, application } = desktop;
  await openSettings(page, 'Connect');
  const address = page.getByRole('region', { name: 'Address of the server' });
  const field = page.getByLabel('Port', { exact: true });
  await field.fill('80');
  await expect(page.getByText('Enter a number from 1024 to 65535.')).toBeVisible();
  await field.fill(String(port));
  await page.getByRole('button', { name: 'Apply port' }).click();
  await expect(address).toHaveText(`http://127.0.0.1:${port}`);
  await page.getByRole('button', { name: 'Copy curl command' }).click();
  const command = await clipboard(application, /^export ENTAIL_URL=/);
  expect(await pasted(command)).toMatchObject({ result: expect.anything() });
  await application.close();

  const again = await openDesktop(userData);
  try {
    await expect(again.page.getByRole('banner')).toContainText('Connected');
    expect(await pasted(command), 'after a restart').toMatchObject({ result: expect.anything() });
    expect(statSync(join(userData, 'settings.json')).mode & 0o077, 'only the user reads the token').toBe(0);
    await openSettings(again.page, 'Connect');
    const asked = await answerDialogs(again.application, 0);
    await again.page.getByRole('button', { name: 'Show token…' }).click();
    const token = await clipboard(again.application, /^[\w-]{43}$/);
    await expect.poll(asked).toContain(token);
    await again.page.getByRole('button', { name: 'Replace token…' }).click();
    await expect(again.page.getByText('Token replaced. Copy the new one.')).toBeVisible();
    await expect(again.page.getByRole('banner')).toContainText('Connected');
    expect(await pasted(command), 'with the replaced token').toMatchObject({
      error: { code: 'SVC_RUNTIME_CAPABILITY_DENIED' },
    });
    await again.page.getByRole('button', { name: 'Copy curl command' }).click();
    await expect.poll(() => clipboard(again.application)).not.toContain(token);
    expect(await pasted(await clipboard(again.application))).toMatchObject({ result: expect.anything() });
  } finally {
    await again.application.close();
  }
});

test('uses another port while the chosen one is taken, and reports it', async ({ userData }) => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ recent: [], server: { port } }));
  const { page, application } = await openDesktop(userData);
  try {
    await expect(page.getByRole('banner')).toContainText('Connected');
    await openSettings(page, 'Connect');
    await expect(page.getByText(`Another program or window uses port ${port}.`)).toBeVisible();
  } finally {
    await application.close();
    other.close();
  }
});

test('applies limits, grants and the log level, and resets them', async ({ desktop, userData }) => {
  const { page, application } = desktop;
  await openSettings(page, 'Limits and grants');
  const form = page.getByRole('form', { name: 'Server settings' });
  const timeout = form.getByLabel('Request timeout (ms)');
  await expect(timeout).toHaveValue('10000');
  await timeout.fill('soon');
  await expect(form.getByText('Enter a whole number from 1.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await timeout.fill('20 000');
  await form.getByLabel('Erase an individual from the history').check();
  await form.getByLabel('Memory (MB)').fill('512');
  await form.getByLabel('Update feed').fill('https://example.com/entail');
  await form.getByLabel('Level').selectOption('debug');
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(timeout).toHaveValue('20000');
  await expect
    .poll(() => health(page))
    .toMatchObject({
      limits: { timeoutMs: 20_000, rows: 10_000 },
      capabilities: ['fork', 'reload', 'forget'],
    });
  await application.close();

  const again = await openDesktop(userData);
  try {
    await expect(again.page.getByRole('banner')).toContainText('Connected');
    expect(await health(again.page)).toMatchObject({ limits: { timeoutMs: 20_000 } });
    await openSettings(again.page, 'Limits and grants');
    await expect(again.page.getByLabel('Level')).toHaveValue('debug');
    await expect(again.page.getByLabel('Memory (MB)')).toHaveValue('512');
    await expect(again.page.getByLabel('Update feed')).toHaveValue('https://example.com/entail');
    await again.page.getByRole('button', { name: 'Reset to defaults' }).click();
    await expect
      .poll(() => health(again.page))
      .toMatchObject({
        limits: { timeoutMs: 10_000 },
        capabilities: ['fork', 'reload'],
      });
    expect(readFileSync(join(userData, 'logs/runtime.log'), 'utf8')).not.toBe('');
  } finally {
    await again.application.close();
  }
});

test('opens its folders, and lists and deletes facts of earlier versions', async ({ userData }) => {
  const old = join(userData, 'data/rooms-1a2b');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'events-1.sqlite'), 'x'.repeat(2_048));
  const { page, application } = await openDesktop(userData);
  try {
    const called = await recordShell(application);
    await openSettings(page, 'Limits and grants');
    await page.getByRole('button', { name: 'Open logs folder' }).click();
    await page.getByRole('link', { name: 'Storage' }).click();
    await page.getByRole('button', { name: 'Open data folder' }).click();
    await page.getByRole('region', { name: 'New projects' }).getByRole('button', { name: 'Open folder' }).click();
    await expect
      .poll(called)
      .toEqual([
        `open ${join(userData, 'logs')}`,
        `open ${join(userData, 'modules/.entail')}`,
        `open ${join(userData, 'projects')}`,
      ]);
    const chosen = join(userData, 'mine');
    await application.evaluate(({ dialog }, folder) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
    }, chosen);
    await page.getByRole('button', { name: 'Change…' }).click();
    await expect(page.getByRole('region', { name: 'Folder of new projects' })).toHaveText(chosen);
    expect(await changeProjects(page, '/bin/sh'), 'a folder that no dialog returned').toContain('in the dialog');
    expect(await changeProjects(page, chosen), 'the folder as it is').toBe('changed');
    const facts = page.getByRole('region', { name: 'Facts of earlier versions' });
    await expect(facts).toContainText('2.0 KiB');
    const asked = await answerDialogs(application, 1);
    await facts.getByRole('button', { name: 'Delete…' }).click();
    await expect.poll(asked).toContain('to the trash?');
    expect(existsSync(old)).toBe(true);
    await answerDialogs(application, 0);
    await facts.getByRole('button', { name: 'Delete…' }).click();
    await expect.poll(called).toContain(`trash ${old}`);
  } finally {
    await application.close();
  }
});

async function openSettings(page: Page, section: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click();
}

/** As code injected into the page would. */
async function changeProjects(page: Page, folder: string): Promise<string> {
  return await page.evaluate(async (projects) => {
    const { entailHost } = globalThis as unknown as {
      entailHost: { settings: { change(choices: object): Promise<void> } };
    };
    return await entailHost.settings.change({ projects }).then(() => 'changed', String);
  }, folder);
}

async function health(page: Page): Promise<unknown> {
  return await page.evaluate(async () => {
    const response = await fetch('/v1/health').catch(() => undefined);
    return ((await response?.json()) as { result?: unknown } | undefined)?.result;
  });
}

/** Runs the command in a shell, as a user would who pastes it. */
async function pasted(command: string): Promise<unknown> {
  const { stdout } = await run('bash', ['-c', command]);
  return JSON.parse(stdout);
}

async function clipboard(application: ElectronApplication, pattern = /./): Promise<string> {
  const read = () => application.evaluate(({ clipboard: system }) => system.readText());
  await expect.poll(read).toMatch(pattern);
  return await read();
}

/** Presses this button of each dialog from now on. Returns the texts of the last one. */
async function answerDialogs(application: ElectronApplication, button: number): Promise<() => Promise<string>> {
  await application.evaluate(({ dialog }, response) => {
    const state = globalThis as { asked?: string };
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as { message: string; detail?: string };
      state.asked = `${message} ${detail}`;
      return { response, checkboxChecked: false };
    };
  }, button);
  return () => application.evaluate(() => (globalThis as { asked?: string }).asked ?? '');
}

async function recordShell(application: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await application.evaluate(({ shell }) => {
    const state = globalThis as { called?: string[] };
    state.called = [];
    shell.openPath = async (path) => {
      state.called?.push(`open ${path}`);
      return '';
    };
    shell.trashItem = async (path) => {
      state.called?.push(`trash ${path}`);
    };
  });
  return () => application.evaluate(() => (globalThis as { called?: string[] }).called ?? []);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
