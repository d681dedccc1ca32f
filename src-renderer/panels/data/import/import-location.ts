/** The address of an import. */

/** `into` is the path of the list that it is for, `mutation` that of what its rows are given to; either may be empty. */
export function importLocation(into: string, mutation = ''): string {
  return `/data?${new URLSearchParams({ import: mutation, ...(into !== '' && { into }) }).toString()}`;
}
