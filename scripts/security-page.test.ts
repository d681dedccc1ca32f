/** `docs/security.md` describes the desktop as its code is: the bridge, Electron's checklist with its tests, and what is left out. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as channels from '../src-main/bridge-channels.js';

const root = join(import.meta.dirname, '..');
const page = textOf('docs/security.md');

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The cells of the rows of a section's table, without its head. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.slice(2, -2).split(' | '));
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** Each member of the bridge with the channels that its code names. */
function bridgeMembers(): Map<string, string[]> {
  const source = ts.createSourceFile('index.ts', textOf('src-main/preload/index.ts'), ts.ScriptTarget.Latest, true);
  const members = new Map<string, string[]>();
  const add = (object: ts.ObjectLiteralExpression, path: string): void => {
    for (const property of object.properties) {
      if (!ts.isPropertyAssignment(property)) throw new Error(`Unexpected member: ${property.getText()}`);
      const name = `${path}${property.name.getText()}`;
      const { initializer } = property;
      if (ts.isObjectLiteralExpression(initializer)) add(initializer, `${name}.`);
      else members.set(name, channelsIn(initializer.getText()));
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'bridge' && node.initializer !== undefined) {
      if (ts.isObjectLiteralExpression(node.initializer)) add(node.initializer, '');
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return members;
}

function channelsIn(code: string): string[] {
  return Object.entries(channels).flatMap(([name, channel]) =>
    new RegExp(`\\b${name}\\b`).test(code) ? [channel.replace('entail:', '')] : [],
  );
}

describe('the security page', () => {
  it('lists every member of the bridge with its channels', () => {
    const listed = rowsOf('The bridge').map(([member = '', channel = '']) => [
      quoted(member)[0],
      quoted(channel).toSorted(),
    ]);
    const members = bridgeMembers();
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries([...members].map(([member, used]) => [member, used.toSorted()])),
    );
    expect([...members.values()].flat().toSorted()).toEqual(channelsIn(Object.keys(channels).join(' ')).toSorted());
  });

  const items = rowsOf("Electron's checklist");

  it("has a line for each of the twenty items of Electron's checklist", () => {
    expect(items.map(([number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it.each(items)('names existing tests for item %s, %s', (_number, _item, _how, tests = '') => {
    const named = [...tests.matchAll(/"(.+?)" \(`([^`]+)`\)/g)];
    expect(named).not.toEqual([]);
    for (const [, title = '', file = ''] of named) expect(titlesIn(file)).toContain(title);
  });

  it('names the version of Electron that is pinned', () => {
    const { devDependencies } = JSON.parse(textOf('package.json')) as { devDependencies: Record<string, string> };
    const [, version] = /Electron (\d+\.\d+\.\d+)/.exec(page) ?? [];
    expect(version).toBe(devDependencies['electron']);
  });
});

/** The titles of all tests in a file. */
function titlesIn(file: string): string[] {
  const code = textOf(file).replaceAll(/\s+/g, ' ');
  return [...code.matchAll(/(?:\b(?:it|test)|\))\( ?(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)].map(([, single, double]) =>
    (single ?? double ?? '').replaceAll("\\'", "'"),
  );
}

describe('the desktop', () => {
  const sources = readdirSync(join(root, 'src-main'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src-main/${file.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.test)\.ts$/.test(file));

  it.each([
    ['allowRunningInsecureContent', /allowRunningInsecureContent/],
    ['experimental features', /experimentalFeatures/],
    ['features of Blink', /enableBlinkFeatures|enable-(blink-)?features/],
    ['webview tags', /allowpopups|webviewTag: true/],
    ['shell.openExternal', /openExternal/],
    ['pages from file:', /loadFile/],
    ['pages of other origins', /loadURL\((?!`\$\{WORKBENCH_ORIGIN\})/],
  ])('uses no %s', (_name, pattern) => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.filter((file) => pattern.test(textOf(file)))).toEqual([]);
  });
});
