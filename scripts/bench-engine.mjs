/**
 * `npm run bench:engine`: bundles the engine's benchmark into `out/bench` and runs it beside hand-written code and databases.
 * Options go behind `--`; one that it does not know makes it print those that it does.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src-runtime/world/bench');
const bundle = join(root, 'out/bench');

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  // Its package has no entry that Node finds.
  ssr: { noExternal: ['cozo-lib-wasm'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: bundle,
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { main: join(sources, 'main.ts'), 'run-one': join(sources, 'run-one.ts') },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
const { status } = spawnSync(process.execPath, [join(bundle, 'main.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
