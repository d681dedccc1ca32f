/** The pages of the docs: bundled texts, split into sections. One chunk, which the page loads when docs are wanted. */

export interface DocPage {
  /** Its place in the address: `language`, `guides/data`. */
  readonly id: string;
  /** Its file in the repository. */
  readonly file: string;
  readonly title: string;
  readonly text: string;
  /** The first is the page itself, up to its second heading. */
  readonly sections: readonly DocSection[];
}

export interface DocSection {
  readonly heading: string;
  /** As GitHub makes it; empty for the page itself. */
  readonly anchor: string;
  /** 1 for the page itself. */
  readonly level: number;
  /** Markdown below the heading. */
  readonly text: string;
}

const TEXTS = import.meta.glob<string>(['../../../README.md', '../../../docs/*.md', '../../../docs/guides/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const ROOT = '../../../';

/** Groups of pages in reading order. */
export const DOC_GROUPS: readonly { readonly name: string; readonly pages: readonly DocPage[] }[] = [
  { name: 'Start', files: ['README.md', 'docs/install.md', 'docs/workbench.md'] },
  {
    name: 'Guides',
    files: ['module', 'invoke', 'query', 'data', 'explain', 'forks', 'checks', 'tests', 'log', 'settings'].map(
      (panel) => `docs/guides/${panel}.md`,
    ),
  },
  { name: 'Language', files: ['docs/language.md', 'docs/recipes.md', 'docs/diagnostics.md'] },
  {
    name: 'API and shell',
    files: ['docs/shell.md', 'docs/api.md', 'docs/operations.md', 'docs/errors.md', 'docs/editors.md'],
  },
  { name: 'Background', files: ['docs/glossary.md', 'docs/security.md', 'docs/demos.md'] },
  {
    name: 'Contribute',
    files: ['docs/architecture.md', 'docs/map.md', 'docs/engine.md', 'docs/performance.md'],
  },
].map(({ name, files }) => ({ name, pages: files.map(pageOf) }));

export const DOC_PAGES: readonly DocPage[] = DOC_GROUPS.flatMap(({ pages }) => pages);

/** All bundled files, for the test that each is in a group. */
export const DOC_FILES: readonly string[] = Object.keys(TEXTS).map((path) => path.slice(ROOT.length));

function pageOf(file: string): DocPage {
  const text = TEXTS[ROOT + file] ?? '';
  const sections = sectionsOf(text);
  const id = file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase();
  return { id, file, title: sections[0]?.heading ?? id, text, sections };
}

/** Splits a page at its headings, of which code fences have none. */
export function sectionsOf(text: string): DocSection[] {
  const sections: { heading: string; anchor: string; level: number; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, marks, heading] = (isCode ? null : /^(#+) (.*)$/.exec(line)) ?? [];
    if (marks === undefined || heading === undefined) sections.at(-1)?.lines.push(line);
    else {
      const level = marks.length;
      sections.push({ heading: plainText(heading), anchor: level === 1 ? '' : anchorOf(heading), level, lines: [] });
    }
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }));
}

/** The anchor that GitHub makes of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Markdown without its marks, on one line. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^\s*(?:[-*]|\d+\.|>|\|)\s/gm, '')
    .replace(/^[-|\s]+$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|\s*\|\s*$/gm, '')
    .replace(/\s*\|\s*/g, ' · ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The page and heading that a link leads to. Undefined if the file is not bundled. */
export function targetOf(page: DocPage, href: string): { readonly page: DocPage; readonly anchor: string } | undefined {
  const [path = '', anchor = ''] = href.split('#');
  const file = path === '' ? page.file : fileAt(page, path);
  const target = DOC_PAGES.find((each) => each.file === file);
  return target && { page: target, anchor };
}

/** Resolves a relative path of a page. */
export function fileAt(page: DocPage, path: string): string {
  return new URL(path, `file:///${page.file}`).pathname.slice(1);
}
