import { expect, it } from 'vitest';
import type { DocPage } from './doc-pages.js';
import { findSections } from './doc-search.js';

const page = (title: string, ...sections: [string, string][]): DocPage => ({
  id: title.toLowerCase(),
  file: `docs/${title.toLowerCase()}.md`,
  title,
  text: '',
  sections: [
    { heading: title, anchor: '', level: 1, text: '' },
    ...sections.map(([heading, text]) => ({ heading, anchor: heading, level: 2, text })),
  ],
});

const PAGES = [
  page('Guide', [
    'Start',
    'Here is how to import rows of a spreadsheet, and why it takes one transaction for all of them.',
  ]),
  page('Data', ['Import a file', 'Choose a file.'], ['Remove rows', 'Select them.']),
];
const found = (text: string) =>
  findSections(text, PAGES).map(({ page: { title }, section }) => `${title}: ${section.heading}`);

it('finds headings first, then headings with the title of their page, then text', () => {
  expect(found('import')).toEqual(['Data: Import a file', 'Guide: Start']);
  expect(found('data rows')).toEqual(['Data: Remove rows']);
});

it('requires every word', () => {
  expect(found('import spreadsheet')).toEqual(['Guide: Start']);
  expect(found('import nothing')).toEqual([]);
  expect(found(' ')).toEqual([]);
});

it('shows an excerpt around a word that the headings lack', () => {
  const [first] = findSections('transaction', PAGES);
  expect(first?.excerpt).toMatch(/^….*one transaction for all of them\.$/);
  expect(findSections('import file', PAGES)[0]?.excerpt).toBe('');
});
