/** Bundles a benchmark with what it runs in processes of its own, and runs it with the options that stand behind `--`. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

/**
 * @param {{ sources: string, entries: string[], bundle: string, noExternal?: string[] }} bench `entries` are files of the
 *   folder `sources`, the first of which is run; `noExternal` names packages that have no entry that Node finds.
 */
export async function runBench({ sources, entries, bundle, noExternal = [] }) {
  const outDir = join(root, bundle);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(entries.map((entry) => [entry, join(root, sources, `${entry}.ts`)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  const { status } = spawnSync(process.execPath, [join(outDir, `${entries[0]}.mjs`), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
