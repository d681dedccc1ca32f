/** The examples of the documentation compile without findings. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILT_INS } from '../language/check/program/built-ins.js';
import { RESERVED_WORDS } from '../language/lexer.js';
import { compile } from './index.js';

const folder = new URL('../../docs/', import.meta.url);
const pages = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((page) => ({ page, modules: modulesOf(readFileSync(new URL(page, folder), 'utf8')) }))
  .filter(({ modules }) => modules.length > 0);

describe('examples of the documentation', () => {
  it('are found in the language reference', () => {
    expect(pages.map(({ page }) => page)).toContain('language.md');
  });

  it('contain every reserved word and all built-in names', () => {
    const page = readFileSync(new URL('language.md', folder), 'utf8');
    const [, reserved = ''] = /^- These words are reserved[^`]*`([^`]*)`/m.exec(page) ?? [];
    expect(reserved.split(/\s+/).sort()).toEqual([...RESERVED_WORDS].sort());
    const [, table = ''] = /^\| Built in .*?\n(.*?)\n\n/ms.exec(page) ?? [];
    const documented = [...table.matchAll(/`(\w+)\(/g)].map(([, name]) => name);
    expect(documented.sort()).toEqual([...BUILT_INS.keys(), 'exists'].sort());
  });

  it.each(pages)('compile without findings in $page', ({ page, modules }) => {
    for (const [index, text] of modules.entries()) {
      const { diagnostics } = compile([{ file: `${page}-${index + 1}.entail`, text }]);
      const findings = diagnostics.map(
        ({ code, message, span }) => `${code} ${message} in: ${text.split('\n')[span.start.line - 1]}`,
      );
      expect(findings).toEqual([]);
    }
  });
});

/**
 * The modules of a page: each block that starts with `module`, with all the blocks marked `fragment` up to the next
 * one, which continue it.
 */
function modulesOf(page: string): string[] {
  const modules: string[] = [];
  for (const [, mark, text] of page.matchAll(/^```entail( fragment)?\n(.*?)^```$/gms)) {
    const last = modules.length - 1;
    if (mark === undefined) modules.push(text ?? '');
    else modules[last] = `${modules[last]}\n${text}`;
  }
  return modules;
}
