/** `npm run bench:http`: the HTTP server beside a bare Fastify. An option that it does not know makes it print those that it does. */

import { runBench } from './run-bench.mjs';

await runBench({ sources: 'src-runtime/server/bench', entries: ['main', 'serve-one'], bundle: 'out/bench-http' });
