import { expect, it } from 'vitest';
import { anchorOf, DOC_FILES, DOC_PAGES, plainText, sectionsOf, targetOf } from './doc-pages.js';

const pageAt = (file: string) => DOC_PAGES.find((page) => page.file === file);

it('lists each bundled page once', () => {
  expect(DOC_PAGES.map(({ file }) => file).sort()).toEqual([...DOC_FILES].sort());
  expect(DOC_PAGES.map(({ id }) => id)).toContain('guides/data');
});

it('splits a page at its headings, but not at comments in code', () => {
  const text = ['# Page', 'Intro.', '## Run `it`', '```sh', '# a comment', '```', '### Why?', 'Because.'].join('\n');
  expect(sectionsOf(text)).toEqual([
    { heading: 'Page', anchor: '', level: 1, text: 'Intro.' },
    { heading: 'Run it', anchor: 'run-it', level: 2, text: '```sh\n# a comment\n```' },
    { heading: 'Why?', anchor: 'why', level: 3, text: 'Because.' },
  ]);
});

it('gives each heading of a page a unique anchor', () => {
  for (const { id, sections } of DOC_PAGES) {
    const anchors = sections.map(({ anchor }) => anchor);
    expect(new Set(anchors).size, id).toBe(anchors.length);
  }
});

it('makes the same anchors as GitHub', () => {
  expect(anchorOf('What it cannot do: `x`, y')).toBe('what-it-cannot-do-x-y');
});

it('resolves links to bundled pages only', () => {
  const guide = pageAt('docs/guides/data.md');
  if (guide === undefined) throw new Error('no guide');
  const linked = (href: string) => {
    const target = targetOf(guide, href);
    return target && `${target.page.id}#${target.anchor}`;
  };
  expect(linked('../api.md#import-a-file')).toBe('api#import-a-file');
  expect(linked('invoke.md')).toBe('guides/invoke#');
  expect(linked('#remove-rows')).toBe('guides/data#remove-rows');
  expect(linked('../../README.md#five-minutes')).toBe('readme#five-minutes');
  expect(linked('../../CONTRIBUTING.md')).toBeUndefined();
});

it('reads Markdown as plain text', () => {
  expect(plainText('- Run `it`, *then* [read](x.md).\n- ![Picture](p.png)')).toBe('Run it, then read. Picture');
  expect(plainText('| A | B |\n|---|---|\n| `a` | b |')).toBe('A · B a · b');
});
