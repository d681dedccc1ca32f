/** The page as it is served, with the nonce of its styles and links to what its panel needs. */

/** Placeholder in index.html for the nonce of inline styles: `<meta name="style-nonce" content="…">`. */
const STYLE_NONCE_PLACEHOLDER = '__STYLE_NONCE__';

/** Placeholder in index.html for the id of the project: `<meta name="project" content="…">`. */
const PROJECT_PLACEHOLDER = '__PROJECT__';

/** Marks a link that only one panel needs; its value is the panel's address. */
export const PANEL_ATTRIBUTE = 'data-panel';

const PANEL_LINK = new RegExp(`[^\\S\\n]*<link ${PANEL_ATTRIBUTE}="([^"]*)"[^>]*>\\n?`, 'g');

/** The panel of an address that names none. */
const FIRST_PANEL = '/module';

interface PageValues {
  readonly nonce: string;
  /** The id of the open project. What the browser keeps for the page is kept for each project. */
  readonly project: string;
}

/** The page at the address of a panel, such as `/data`, with links to what that panel needs. */
export function pageAt(html: string, path: string, { nonce, project }: PageValues): string {
  const panels = new Set([...html.matchAll(PANEL_LINK)].map(([, panel]) => panel));
  const own = panels.has(path) ? path : FIRST_PANEL;
  return html
    .replace(PANEL_LINK, (link, panel: string) => (panel === own ? link : ''))
    .replaceAll(STYLE_NONCE_PLACEHOLDER, nonce)
    .replaceAll(PROJECT_PLACEHOLDER, project);
}
