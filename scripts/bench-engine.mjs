/**
 * `npm run bench:engine`: the engine beside hand-written code and databases. An option that it does not know makes it print
 * those that it does.
 */

import { runBench } from './run-bench.mjs';

await runBench({
  sources: 'src-runtime/world/bench',
  entries: ['main', 'run-one'],
  bundle: 'out/bench',
  noExternal: ['cozo-lib-wasm'],
});
