/** Full-text search of the docs: the sections that have every word. */

import { DOC_PAGES, type DocPage, type DocSection, plainText } from './doc-pages.js';

export interface FoundSection {
  readonly page: DocPage;
  readonly section: DocSection;
  /** The text around the first word that the headings lack; empty if they have every word. */
  readonly excerpt: string;
}

const FOUND_MAX = 60;
const EXCERPT_BEFORE = 24;
const EXCERPT_LENGTH = 80;

/** Sections whose heading has the words come first, then those under such a page, then those that mention them. */
export function findSections(text: string, pages: readonly DocPage[] = DOC_PAGES): FoundSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return pages
    .flatMap((page) => page.sections.map((section) => ({ page, section, ...match(page, section, words) })))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, FOUND_MAX)
    .map(({ page, section, excerpt }) => ({ page, section, excerpt }));
}

const NO_MATCH = 3;

function match(page: DocPage, section: DocSection, words: readonly string[]): { rank: number; excerpt: string } {
  const lacking = (where: string): string[] => words.filter((word) => !where.toLowerCase().includes(word));
  if (lacking(section.heading).length === 0) return { rank: 0, excerpt: '' };
  const missing = lacking(`${page.title} ${section.heading}`);
  if (missing.length === 0) return { rank: 1, excerpt: '' };
  if (lacking(`${page.title} ${section.heading} ${section.text}`).length > 0) return { rank: NO_MATCH, excerpt: '' };
  const body = plainText(section.text);
  const at = Math.max(0, body.toLowerCase().indexOf(missing[0] ?? '') - EXCERPT_BEFORE);
  const start = at === 0 ? 0 : body.indexOf(' ', at) + 1;
  const end = start + EXCERPT_LENGTH;
  return {
    rank: 2,
    excerpt: `${start > 0 ? '…' : ''}${body.slice(start, end)}${end < body.length ? '…' : ''}`,
  };
}
