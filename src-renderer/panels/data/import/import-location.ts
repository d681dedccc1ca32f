/** The URL of an import. */

/** In place of the path of a mutation: rows are inserted. */
export const INSERTING = 'insert';

/** `into` is the path of the target list, `through` that of a mutation, or `INSERTING`; either may be empty. */
export function importLocation(into: string, through = ''): string {
  return `/data?${new URLSearchParams({ import: through, ...(into !== '' && { into }) }).toString()}`;
}
