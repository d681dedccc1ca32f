/** Rules of this repository that no linter checks: opening sentences, a core without clock and randomness, and banned words. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import layout from './layout.cjs';
import { mapPage, mapPicture } from './map-page.mjs';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

const sources = files.filter((file) => /^(src-[a-z]+|e2e|scripts|bench)\/.*\.(ts|tsx|mjs)$/.test(file));
const core = sources.filter(
  (file) =>
    /^src-runtime\/(base|language|artifact|compiler|engine|world)\//.test(file) &&
    !/(\.test\.ts$|\/testing\/)/.test(file),
);

/** `file:line: text` of every line of the files that the pattern matches. */
function matches(among: readonly string[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

describe('the repository', () => {
  it('has sources to check', () => {
    expect(core.length).toBeGreaterThan(50);
    expect(core.length).toBeLessThan(sources.length);
  });

  it('starts each source file with a sentence about its purpose', () => {
    const withoutPurpose = sources.filter(
      (file) => !/\.(test|d)\.tsx?$/.test(file) && !/^(#!.*\n)?\s*\/\*\*?[\s*]+\S/.test(textOf(file)),
    );
    expect(withoutPurpose).toEqual([]);
  });

  it('uses no clock and no randomness in the core', () => {
    const banned =
      /\b(Date\.now|Math\.random|new Date\(\)|performance\.now|setTimeout|setInterval|setImmediate|queueMicrotask)\b/;
    expect(matches(core, banned)).toEqual([]);
  });

  it('contains no unfinished work, no focused and no skipped test', () => {
    const unfinished = new RegExp(`\\b(${'TO' + 'DO|FIX' + 'ME'})\\b|\\b(it|test|describe)\\.(only|skip)\\(`);
    // Desktop and PostgreSQL are not everywhere.
    const allowed = (line: string) =>
      /^(e2e\/support\/desktop|e2e\/several-servers\.spec|scripts\/tidy\.test)\.ts/.test(line);
    expect(matches(sources, unfinished).filter((line) => !allowed(line))).toEqual([]);
  });

  it('scales all property tests without a fixed seed by one setting', () => {
    const tests = sources.filter((file) => /\.test\.tsx?$/.test(file));
    expect(matches(tests, /\bruns\(\d+\)/).length).toBeGreaterThan(20);
    expect(matches(tests, /\bnumRuns: \d+/).filter((line) => !line.includes('seed'))).toEqual([]);
  });

  it('receives page messages in one place, and creates windows in one place', () => {
    const main = sources.filter((file) => file.startsWith('src-main/') && file !== 'src-main/ipc.ts');
    expect(matches(main, /\bipcMain\s*\.|\.on\('ipc-message|webContents\.ipc\b/)).toEqual([]);
    const page = sources.filter((file) => file.startsWith('src-renderer/') && !file.startsWith('src-renderer/host/'));
    expect(matches(page, /\bentailHost\b/)).toEqual([]);
  });

  it('has every command that its pages mention', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const pages = files.filter((file) => file.endsWith('.md'));
    const mentioned = pages.flatMap((file) =>
      [...textOf(file).matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, name]) => name),
    );
    expect(mentioned).toContain('dist');
    expect(mentioned.filter((name) => name === undefined || !(name in scripts))).toEqual([]);
  });

  it('contains no path of a personal machine', () => {
    const places = files.filter(
      (file) =>
        /\.(ts|tsx|mjs|json|md|css|html|entail)$/.test(file) &&
        file !== 'package-lock.json' &&
        !file.includes('.test.'),
    );
    expect(matches(places, /(^|["'`\s(])\/(home|Users|root)\/[a-z]/)).toEqual([]);
  });

  it('names no registry in its lock files', () => {
    for (const lock of ['package-lock.json', 'bench/package-lock.json'])
      expect(textOf(lock)).not.toContain('"resolved"');
  });

  it('keeps folders small', () => {
    const sizes = new Map<string, number>();
    for (const folder of productFiles().map((file) => dirname(file))) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > layout.FILES_MAX)).toEqual([]);
  });

  it('lists every folder with product files in the layout, and no others', () => {
    const listed = Object.entries(layout.LAYOUT)
      .flatMap(([level, folders]) => Object.keys(folders).map((name) => (level === '.' ? name : `${level}/${name}`)))
      .filter((folder) => folder.startsWith('src-'));
    const held = new Set<string>();
    for (const file of productFiles()) {
      for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) held.add(folder);
    }
    expect(listed.sort()).toEqual([...held].sort());
  });

  it('describes the layout in docs/map.md', () => {
    expect(textOf('docs/map.md'), 'run node scripts/map-page.mjs').toBe(mapPage());
    expect(textOf('docs/images/map.svg'), 'run node scripts/map-page.mjs').toBe(mapPicture());
  });
});

function productFiles(): string[] {
  return sources.filter((file) => file.startsWith('src-') && !/\.test\.tsx?$|\/(testing|constructs)\//.test(file));
}

describe('stylesheets', () => {
  const sheets = files.filter((file) => /^src-renderer\/.*\.module\.css$/.test(file));
  const classesOf = (sheet: string): ReadonlySet<string> => {
    const selectors = textOf(sheet)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\{[^{}]*\}/g, '\n')
      .replace(/:global\([^)]*\)|\[[^\]]*\]/g, '');
    return new Set(Array.from(selectors.matchAll(/\.([a-z][\w-]*)/g), ([, name = '']) => camelCase(name)));
  };
  /** `sheet class` of each class that a component reads from a CSS module. */
  const used = new Set(
    files
      .filter((file) => /^src-renderer\/.*\.tsx?$/.test(file))
      .flatMap((file) => {
        const text = textOf(file);
        return Array.from(text.matchAll(/import (\w+) from '(\.[^']*\.module\.css)'/g)).flatMap(([, name, path = '']) =>
          Array.from(
            text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')),
            ([, key]) => `${join(dirname(file), path)} ${key}`,
          ),
        );
      }),
  );

  it('are CSS modules, except the theme and the classes of the graph and editor libraries', () => {
    const others = files.filter((file) => file.startsWith('src-renderer/') && /(?<!\.module)\.css$/.test(file));
    expect(others.filter((file) => !file.startsWith('src-renderer/theme/'))).toEqual([
      'src-renderer/editor/editor.css',
      'src-renderer/graph/graph.css',
    ]);
  });

  it('take each size of type from the scale of tokens.css', () => {
    const page = files.filter((file) => /^src-renderer\/.*\.(css|ts|tsx)$/.test(file));
    const literal = matches(page, /\bfont(-size|Size)?: (?!['"]?(var\(--size-\w+\)|inherit|0;))['"]?\S*\d/);
    // The root size is the unit of Mantine's lengths, and a graph has its own zoom.
    expect(literal).toEqual(['src-renderer/theme/base.css:11: font-size: 16px;']);
    expect(textOf('src-renderer/theme/tokens.css').match(/--size-\w+:/g)).toHaveLength(4);
  });

  it('define the classes that components use, and no others', () => {
    const defined = new Set(sheets.flatMap((sheet) => Array.from(classesOf(sheet), (name) => `${sheet} ${name}`)));
    expect(defined.size).toBeGreaterThan(500);
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
    expect([...defined].filter((name) => !used.has(name))).toEqual([]);
  });
});

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
