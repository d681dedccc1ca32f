/** The documentation is true as far as a tool can check: links, files, samples, JSON, keys and imports. Its words are plain. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHORTCUTS } from '../src-renderer/state/shortcuts.js';
import { oddWords, oddWordsInMessages } from './plain-words.js';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
/** Every page except the stories of recorded demos, which are read aloud. */
const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('e2e/'));
const sample = textOf('resources/modules/lease.entail');

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** A page without its fences. */
function proseOf(page: string): string {
  return textOf(page).replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** The texts in a page's fences of one language. */
function fencesOf(page: string, language: string): string[] {
  return [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

describe('the documentation', () => {
  it.each(pages)('%s links to existing pages and headings', (page) => {
    const missing = [...proseOf(page).matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].filter(([, path = '', anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !files.includes(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it.each(pages)('%s names existing files and folders', (page) => {
    const named = [
      ...proseOf(page).matchAll(
        /`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|[cm]js|plist)|(?:src-|e2e|resources|scripts|docs|\.github|\.vscode)[\w./-]*)`/g,
      ),
    ];
    const missing = named.filter(
      ([, name = '']) => !files.some((file) => `/${file}/`.includes(`/${name.replace(/\/$/, '')}/`)),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it.each(pages)('%s names existing declarations of the sample', (page) => {
    const named = [...textOf(page).matchAll(/\blease::(\w+)/g)].map(([, name = '']) => name);
    const unknown = named.filter((name) => !new RegExp(`^(pub )?[a-z]+ ${name}\\b`, 'm').test(sample));
    expect(unknown).toEqual([]);
  });

  it.each(pages)('%s contains only valid JSON', (page) => {
    for (const text of fencesOf(page, 'json')) expect(() => JSON.parse(text), text).not.toThrow();
  });

  // Words in italics are labels of the interface.
  it.each(pages)('%s uses plain words', (page) => {
    const prose = proseOf(page).replace(/\*[^*\n]+\*/g, '');
    expect(oddWords(prose)).toEqual([]);
  });

  it('starts with declarations of the sample in the README', () => {
    const [example = ''] = fencesOf('README.md', 'entail');
    const items = example.split(/\n(?=pub )/).map((item) => item.replace(/^\/\/\/.*$/gm, '').trim());
    expect(items.length).toBeGreaterThan(3);
    for (const item of items) expect(sample).toContain(item);
  });

  it('lists all shortcuts of the workbench', () => {
    const [, table = ''] = textOf('docs/workbench.md').split('## Keys');
    const listed = [...table.matchAll(/^\| (.+) \| `(.+)` \|$/gm)].map(([, name, keys]) => [name, keys]);
    const panels = SHORTCUTS.filter(({ id }) => id.startsWith('panel:'));
    const others = SHORTCUTS.filter((shortcut) => !panels.includes(shortcut));
    expect(panels.map(({ keys }) => keys).join(' ')).toMatch(/^Alt\+1 .*Alt\+9 Alt\+0$/);
    expect(listed.slice(0, -1)).toEqual(
      others.map(({ name, keys }) => [
        name,
        keys.replace('Mod', 'Ctrl').replace('ArrowLeft', '←').replace('ArrowRight', '→'),
      ]),
    );
  });

  it('describes the same allowed imports as the import rule', () => {
    const require = createRequire(import.meta.url);
    const { forbidden } = require('../.dependency-cruiser.cjs') as { forbidden: { name: string; comment: string }[] };
    const rules = forbidden.flatMap(({ name, comment }) => {
      const [, list] = /^src-runtime\/\w+ imports only (.*)\.$/.exec(comment) ?? [];
      return name.startsWith('runtime-') && list !== undefined ? [[name.slice('runtime-'.length), sorted(list)]] : [];
    });
    const described = textOf('docs/architecture.md')
      .split('\n')
      .flatMap((line) => {
        const [, folders = '', list] = /^([a-z, ]+) → ([a-z, ]+)$/.exec(line) ?? [];
        return list === undefined ? [] : folders.split(', ').map((folder) => [folder, sorted(list)]);
      });
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(rules));
  });
});

/** Every string literal with a space in it, from a source without its comments. */
function messagesIn(file: string): string[] {
  const code = textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/\s.*$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)]
    .map(([text]) => text)
    .filter((text) => text.includes(' '));
}

describe('the messages of the compiler and the command line', () => {
  const sources = files.filter(
    (file) =>
      /^src-runtime\/(language|compiler|lsp|cli)\/.*\.ts$/.test(file) && !/\.(test|bench)\.ts$|\/testing\//.test(file),
  );

  it('are found in many sources', () => {
    expect(sources.filter((file) => messagesIn(file).length > 0).length).toBeGreaterThan(50);
  });

  it.each(sources)('%s uses plain words', (file) => {
    expect(messagesIn(file).filter((text) => oddWordsInMessages(text).length > 0)).toEqual([]);
  });
});

function sorted(list: string): string {
  return list.split(', ').sort().join(', ');
}
