/** The examples of the documentation compile without findings. */

import { describe, expect, it } from 'vitest';
import { BUILT_INS } from '../language/check/program/built-ins.js';
import { RESERVED_WORDS } from '../language/lexer.js';
import { compile } from './index.js';
import { pagesWithModules, textOfPage } from './testing/documented-modules.js';

const pages = pagesWithModules();

describe('examples of the documentation', () => {
  it('are found in the language reference', () => {
    expect(pages.map(({ page }) => page)).toContain('language.md');
  });

  it('contain every reserved word and all built-in names', () => {
    const page = textOfPage('language.md');
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
