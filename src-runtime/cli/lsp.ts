/** `entail lsp`: a language server on stdin and stdout, which may count bindings on a running server. */

import type { Client } from '../api/client.js';
import type { LiveServer } from '../lsp/live-counts.js';
import { type ConnectionOptions, whereOf, withServer } from './connect.js';
import type { Terminal } from './terminal.js';

export interface LspOptions extends ConnectionOptions {
  /** URL of a running server, whose facts the conditions are counted on. */
  readonly server?: string;
}

/** Returns 0 if the client shut it down properly. */
export async function lspCommand(options: LspOptions, terminal: Terminal): Promise<number> {
  const { serveLanguage } = await import('../lsp/server.js');
  const serve = async (live?: LiveServer) => ((await serveLanguage(process.stdin, process.stdout, live)) ? 0 : 1);
  if (options.server === undefined) return serve();
  return withServer(options.server, options, terminal, (client) => serve(liveServer(client, options)));
}

export function liveServer(client: Client, options: ConnectionOptions): LiveServer {
  const where = whereOf(options);
  return {
    files: async () => (await client.sources(where)).result.files.map(({ file }) => file),
    async conditionsAt(files, file, offset, signal) {
      const body = { files: [...files], file, offset, rows: 0 };
      const { clauses, names } = (await client.live(body, { ...where, signal })).result;
      const valueText = (value: unknown) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return names[text] ?? text;
      };
      return clauses.flatMap(({ conditions }) =>
        conditions.map(({ examples, ...counted }) => ({
          ...counted,
          examples: examples.map((example) =>
            Object.entries(example)
              .map(([name, value]) => `${name} = ${valueText(value)}`)
              .join(', '),
          ),
        })),
      );
    },
  };
}
