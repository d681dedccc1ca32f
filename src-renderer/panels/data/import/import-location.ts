/** The URL of an import. */

/** `into` is the path of the target list, `mutation` that of the mutation; either may be empty. */
export function importLocation(into: string, mutation = ''): string {
  return `/data?${new URLSearchParams({ import: mutation, ...(into !== '' && { into }) }).toString()}`;
}
