/** The page as it is served: with the nonce of its styles, and what the panel needs that it opens on. */

/** Stands in index.html where the nonce of inline styles belongs: `<meta name="style-nonce" content="…">`. */
const STYLE_NONCE_PLACEHOLDER = '__STYLE_NONCE__';

/** Of a link to what only one panel needs: where that opens. */
export const PANEL_ATTRIBUTE = 'data-panel';

const PANEL_LINK = new RegExp(`[^\\S\\n]*<link ${PANEL_ATTRIBUTE}="([^"]*)"[^>]*>\\n?`, 'g');

/** Where a page opens whose address names no panel. */
const FIRST_PANEL = '/module';

/** The page at an address of its own, such as `/data`, which has links to what its panel needs, and not to what others do. */
export function pageAt(html: string, path: string, nonce: string): string {
  const panels = new Set([...html.matchAll(PANEL_LINK)].map(([, panel]) => panel));
  const own = panels.has(path) ? path : FIRST_PANEL;
  return html
    .replace(PANEL_LINK, (link, panel: string) => (panel === own ? link : ''))
    .replaceAll(STYLE_NONCE_PLACEHOLDER, nonce);
}
