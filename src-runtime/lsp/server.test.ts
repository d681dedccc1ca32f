/** Requests of an editor to the language server, with two modules, over streams. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
} from 'vscode-languageserver/node';
import type { LiveServer } from './live-counts.js';
import { serveLanguage } from './server.js';

const PEOPLE = `module people

/// Anybody.
pub concept Person {
  name: Text
}
`;
const HOUSES = `module houses
use people::{Person}
pub relation livesIn(person: Person, street: Text)
pub derive housed(p: Person) when livsIn(p, _)
`;

/** Counts one condition of the derive, and fails for texts with `broken`. */
const COUNTS: LiveServer = {
  files: async () => ['houses.entail'],
  async conditionsAt(texts, file, offset) {
    const [only, ...others] = texts;
    if (only === undefined || others.length > 0 || only.text.includes('broken')) throw new Error('no answer');
    const at = only.text.indexOf('livsIn(p, _)');
    const place = (add: number) => ({ line: 4, column: 36 + add, offset: at + add });
    const span = { file, start: place(0), end: place(12) };
    const examples = [`p = Ada at ${offset - only.text.indexOf('pub derive')}`];
    return [
      { span, bindings: 3, examples },
      { span: { ...span, end: place(13) }, bindings: null, examples: [] },
    ];
  },
};

let folder: string;
let client: ProtocolConnection;
let ended: Promise<boolean>;
const findings = new Map<string, readonly Diagnostic[]>();
let onFindings: () => void = () => undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'entail@lsp-'));
  writeFileSync(join(folder, 'people.entail'), PEOPLE);
  writeFileSync(join(folder, 'houses.entail'), HOUSES);
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  ended = serveLanguage(toServer, toClient, COUNTS);
  client = createProtocolConnection(toClient, toServer);
  client.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    findings.set(uri, diagnostics);
    onFindings();
  });
  client.listen();
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'houses' }],
  });
  await client.sendNotification('initialized', {});
});

afterEach(() => {
  client.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it('publishes diagnostics, completes, hovers, navigates across files, renames, fixes, formats, and shuts down', async () => {
  const [people, houses] = [uriOf('people.entail'), uriOf('houses.entail')];
  await findingsOf(houses, (found) => found.length === 1);
  expect(findings.get(houses)?.[0]).toMatchObject({ code: 'E0101', range: { start: { line: 3, character: 34 } } });

  const text = HOUSES.replace('livsIn(p, _)', 'livesIn(p, _), p.');
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: houses, languageId: 'entail', version: 1, text },
  });
  const offers = await ask<readonly { label: string; detail?: string }[]>('completion', houses, text.length - 1);
  expect(offers).toContainEqual(expect.objectContaining({ label: 'name', detail: 'Text' }));

  const whole = HOUSES.replace('livsIn(p, _)', 'livsIn( p,_)');
  await client.sendNotification('textDocument/didChange', {
    textDocument: { uri: houses, version: 2 },
    contentChanges: [{ text: whole }],
  });
  const atPerson = whole.lastIndexOf('Person');
  expect(await ask('hover', houses, atPerson)).toMatchObject({
    contents: { value: expect.stringContaining('pub concept Person') },
  });
  expect(await ask('definition', houses, atPerson)).toMatchObject([{ uri: people, range: { start: { line: 3 } } }]);
  expect(await ask('references', houses, atPerson, { context: { includeDeclaration: true } })).toHaveLength(4);
  expect(await ask('documentHighlight', houses, atPerson)).toMatchObject([{ kind: 2 }, { kind: 2 }, { kind: 2 }]);
  expect(await client.sendRequest('workspace/symbol', { query: 'PERS' })).toMatchObject([
    { name: 'Person', location: { uri: people, range: { start: { line: 3 } } } },
  ]);
  const { data } = await ask<{ data: readonly number[] }>('semanticTokens/full', people, 0);
  // Each token: lines and characters since the one before, length, kind and modifiers.
  expect(data.slice(0, 20)).toEqual([0, 0, 6, 12, 0, 0, 7, 6, 0, 1, 2, 0, 12, 13, 4, 1, 0, 3, 12, 0]);
  expect(await ask('prepareRename', houses, atPerson)).toMatchObject({ placeholder: 'Person' });

  const actions = await client.sendRequest('textDocument/codeAction', {
    textDocument: { uri: houses },
    range: { start: position(whole, whole.indexOf('livsIn')), end: position(whole, whole.indexOf('livsIn') + 6) },
    context: { diagnostics: [] },
  });
  expect(actions).toMatchObject([
    { title: 'Change to "livesIn"', edit: { changes: { [houses]: [{ newText: 'livesIn' }] } } },
  ]);

  const mended = whole.replace('livsIn', 'livesIn');
  await client.sendNotification('textDocument/didChange', {
    textDocument: { uri: houses, version: 3 },
    contentChanges: [{ text: mended }],
  });
  await findingsOf(houses, (found) => found.length === 0);
  const renamed = await ask<{ changes: Record<string, readonly unknown[]> }>('rename', houses, atPerson, {
    newName: 'Human',
  });
  expect([renamed.changes[people]?.length, renamed.changes[houses]?.length]).toEqual([1, 3]);
  await expect(ask('rename', houses, atPerson, { newName: 'livesIn' })).rejects.toThrow('livesIn');

  expect(await ask('formatting', houses, 0, { options: { tabSize: 2, insertSpaces: true } })).toMatchObject([
    { range: { start: { line: 3 } }, newText: '' },
    { newText: ' ' },
  ]);
  expect(await ask('documentSymbol', houses, 0)).toMatchObject([{ name: 'livesIn' }, { name: 'housed' }]);

  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  expect(await ended).toBe(true);
});

it('recognises a file whose URI the client encodes differently', async () => {
  const houses = uriOf('houses.entail');
  await findingsOf(houses, (found) => found.length === 1);
  const spelt = houses.replace('@', '%40');
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: spelt, languageId: 'entail', version: 1, text: HOUSES },
  });
  await findingsOf(spelt, (found) => found.length > 0);
  // A second module with the same name would be an error.
  expect(findings.get(spelt)?.map(({ code }) => code)).toEqual(['E0101']);
  await findingsOf(houses, (found) => found.length === 0);
});

it('shows the bindings left after each condition, as a running server counts them', async () => {
  const houses = uriOf('houses.entail');
  await findingsOf(houses, (found) => found.length === 1);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  expect(await ask('inlayHint', houses, 0, { range })).toEqual([
    { position: { line: 3, character: 47 }, label: '→ 3', paddingLeft: true, tooltip: 'p = Ada at 0' },
  ]);
  expect(await ask('inlayHint', uriOf('people.entail'), 0, { range })).toEqual([]);
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: houses, languageId: 'entail', version: 1, text: `${HOUSES}// broken` },
  });
  expect(await ask('inlayHint', houses, 0, { range })).toEqual([]);
});

it('reports a client that exits without shutdown', async () => {
  await client.sendNotification('exit');
  expect(await ended).toBe(false);
});

function uriOf(name: string): string {
  return pathToFileURL(join(folder, name)).href;
}

/** Waits until the diagnostics of a file match. */
async function findingsOf(uri: string, isSo: (found: readonly Diagnostic[]) => boolean): Promise<void> {
  while (!isSo(findings.get(uri) ?? [])) {
    await new Promise<void>((resolve) => {
      onFindings = resolve;
    });
  }
}

/** The versions of a text differ in their last line only, so that the line of an offset is that of the first one. */
function ask<T = unknown>(method: string, uri: string, offset: number, more: object = {}): Promise<T> {
  const text = uri.endsWith('houses.entail') ? HOUSES : PEOPLE;
  return client.sendRequest<T>(`textDocument/${method}`, {
    textDocument: { uri },
    position: position(text.slice(0, text.lastIndexOf('\n', offset - 1) + 1) + ' '.repeat(200), offset),
    ...more,
  });
}

function position(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
