/** `entail lsp`: a language server on stdin and stdout, for other editors. */

/** Returns 0 if the client shut it down properly. Loads the server lazily, so that other commands start faster. */
export async function lspCommand(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<number> {
  const { serveLanguage } = await import('../lsp/server.js');
  return (await serveLanguage(input, output)) ? 0 : 1;
}
