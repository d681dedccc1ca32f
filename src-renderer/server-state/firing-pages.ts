/** How many firings are asked for at once. */

export interface FiringsPage {
  readonly limit: number;
  readonly page?: string;
}

const FIRST_ROWS = 200;
const FURTHER_ROWS_MAX = 2_000;

export const firstPage: FiringsPage = { limit: FIRST_ROWS };

/** As many again as there are already, so that the end of a long list is a few requests away. Undefined at that end. */
export function furtherPage(
  pages: readonly { readonly result: readonly unknown[]; readonly nextCursor?: string | undefined }[],
): FiringsPage | undefined {
  const page = pages.at(-1)?.nextCursor;
  const loaded = pages.reduce((sum, { result }) => sum + result.length, 0);
  return page === undefined ? undefined : { page, limit: Math.min(Math.max(loaded, FIRST_ROWS), FURTHER_ROWS_MAX) };
}
