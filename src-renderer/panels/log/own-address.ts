/** Resolves a logged path against the server of this page. */

/** The resolved path; undefined if invalid. Unresolved, `//elsewhere/v1` would send the token to another server. */
export function ownAddress(path: string): string | undefined {
  return path.startsWith('/') ? `/.${path}` : undefined;
}
