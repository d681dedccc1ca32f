/**
 * `npm run bench:http`: bundles the benchmark of the HTTP server into `out/bench-http` and runs it beside a bare Fastify.
 * Options go behind `--`; one that it does not know makes it print those that it does.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src-runtime/server/bench');
const bundle = join(root, 'out/bench-http');

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    target: 'node20',
    outDir: bundle,
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { main: join(sources, 'main.ts'), 'serve-one': join(sources, 'serve-one.ts') },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
const { status } = spawnSync(process.execPath, [join(bundle, 'main.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
