/** Where a logged path is sent to again: the server of the page, whoever wrote the path. */

/**
 * What a browser takes for this path of its own server; undefined for what is no path. As it stands, `//elsewhere/v1` would lead to
 * another server, and take the token there.
 */
export function ownAddress(path: string): string | undefined {
  return path.startsWith('/') ? `/.${path}` : undefined;
}
