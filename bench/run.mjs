/**
 * Bundles a benchmark, or the history check, and runs it with the options after `--`: `npm run bench:engine`, `bench:http`,
 * `bench:desktop`, `check:history`. An unknown option prints the known ones.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/**
 * The first entry runs; it starts the others as processes. `databases` are packages of `bench/package.json`.
 * @type {Readonly<Record<string, { entries: readonly string[], databases: readonly string[] }>>}
 */
const BENCHMARKS = {
  data: { entries: ['main'], databases: ['@duckdb/node-api', 'better-sqlite3'] },
  engine: { entries: ['main', 'run-one'], databases: ['@duckdb/node-api', 'cozo-lib-wasm'] },
  http: { entries: ['main', 'serve-one'], databases: ['better-sqlite3'] },
  desktop: { entries: ['main', 'observer'], databases: [] },
  history: { entries: ['main'], databases: [] },
  scale: { entries: ['main'], databases: [] },
};

const root = join(import.meta.dirname, '..');
const [name = '', ...options] = process.argv.slice(2);
const { entries, databases } = BENCHMARKS[name] ?? { entries: [], databases: [] };
const missing = databases.filter((each) => !existsSync(join(import.meta.dirname, 'node_modules', each)));
if (missing.length > 0 && comparesDatabases()) install();
const outDir = join(import.meta.dirname, 'out', name);
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: Object.fromEntries(entries.map((entry) => [entry, join(import.meta.dirname, name, `${entry}.ts`)])),
      external: databases.map((each) => new RegExp(`^${each}`)),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
const { status } = spawnSync(process.execPath, [join(outDir, `${entries[0]}.mjs`), ...options], { stdio: 'inherit' });
process.exitCode = status ?? 1;

/** Without `--peers`, the benchmark compares with everything it knows. */
function comparesDatabases() {
  const at = options.findIndex((option) => option.startsWith('--peers'));
  return at < 0 || /duckdb|cozo/.test(`${options[at]} ${options[at + 1]}`);
}

/** A benchmark lists a database that could not be installed as unavailable. */
function install() {
  console.log(`Installing ${missing.join(' and ')}, once: npm ci --prefix bench`);
  spawnSync('npm', ['ci', '--prefix', import.meta.dirname, '--no-audit', '--no-fund'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
