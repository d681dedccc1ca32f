/** `entail lsp`: a language server on stdin and stdout, for editors other than the workbench's. */

/** 0 where the client ended it in good order. The server is loaded only here, so that other commands start no slower. */
export async function lspCommand(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<number> {
  const { serveLanguage } = await import('../lsp/server.js');
  return (await serveLanguage(input, output)) ? 0 : 1;
}
