/**
 * Builds everything that runs into `out/`: `main` (the Electron main process, the worker thread that hosts the runtime, and
 * the command line), `preload` (one CommonJS file, as the sandbox demands) and `renderer` (the workbench page).
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

const root = import.meta.dirname;

export default defineConfig({
  main: {
    build: {
      // The command line runs in the oldest Node that we support, which is older than Electron's.
      target: 'node20',
      // These require() packages that are modules only, which the oldest Node that we support and some Electrons refuse.
      externalizeDeps: { exclude: ['@fastify/static'] },
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: resolve(root, 'src-main/index.ts'),
          'runtime-worker': resolve(root, 'src-main/runtime-worker.ts'),
          entail: resolve(root, 'src-runtime/cli/entail.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      target: 'node20',
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'src-main/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    plugins: [
      react(),
      // Panels have paths of their own, some of them deep, so assets are addressed from the root; electron-vite would
      // make them relative.
      { name: 'assets-from-the-root', config: () => ({ base: '/' }) },
      startFirst(),
    ],
    define: { __LICENCES__: JSON.stringify(licences()) },
    worker: { format: 'es' },
    build: {
      target: 'es2023',
      minify: true,
      // The largest is the graph layout's worker; all of them come from the disk.
      chunkSizeWarningLimit: 2_000,
      outDir: resolve(root, 'out/renderer'),
      rolldownOptions: {
        input: { index: resolve(root, 'src-renderer/index.html'), start: resolve(root, 'src-renderer/start.ts') },
      },
    },
  },
});

/**
 * The page runs its start before all else, and names what it will ask for: its code and that of the panel on which it mostly
 * opens, with all that they import. They are on their way from the first line on, rather than from when the code that asks has run.
 */
function startFirst(): Plugin {
  const start = resolve(root, 'src-renderer/start.ts');
  const panel = resolve(root, 'src-renderer/module/module-panel.tsx');
  return {
    name: 'start-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const script = (src: string) => ({
          tag: 'script',
          attrs: { type: 'module', async: true, crossorigin: true, src },
          injectTo: 'head-prepend' as const,
        });
        if (bundle === undefined) return [script('/start.ts')];
        const link = (attrs: Record<string, string | true>) => ({ tag: 'link', attrs, injectTo: 'head' as const });
        const named = (entry: OutputChunk | undefined) =>
          entry === undefined ? [] : filesOf(bundle, entry.fileName).filter((file) => !html.includes(`"/${file}"`));
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId === start);
        const early = named(first);
        const later = named(chunks.find(({ facadeModuleId }) => facadeModuleId === panel));
        return [
          script(`/${first?.fileName}`),
          // A style that is loaded and not used soon is a warning in the console, wherever the page opens on another panel; as
          // small as these are, they may as well be in force.
          ...[...early, ...later].map((file) =>
            link({ rel: isStyle(file) ? 'stylesheet' : 'modulepreload', crossorigin: true, href: `/${file}` }),
          ),
        ];
      },
    },
  };
}

function isStyle(file: string): boolean {
  return file.endsWith('.css');
}

/** A chunk with all scripts and styles that it imports. */
function filesOf(bundle: OutputBundle, entry: string): readonly string[] {
  const files = new Set([entry]);
  for (const file of files) {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk') continue;
    for (const needed of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(needed);
  }
  return [...files];
}

interface PackageFile {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What runs, as opposed to what builds and tests: the page tells its versions and licences. */
function licences(): { name: string; version: string; licence: string }[] {
  const own = readPackage('package.json');
  const ofPage =
    /^(@codemirror|@fontsource-variable|@lezer|@mantine|@tabler|@tanstack|@xyflow)\/|^(electron|elkjs|react.*)$/;
  const names = [
    ...Object.keys(own.dependencies ?? {}),
    ...Object.keys(own.devDependencies ?? {}).filter((name) => ofPage.test(name)),
  ];
  return names.sort().map((name) => {
    const { version, license } = readPackage(`node_modules/${name}/package.json`);
    return { name, version, licence: license ?? 'see the package' };
  });
}

function readPackage(path: string): PackageFile {
  return JSON.parse(readFileSync(resolve(root, path), 'utf8')) as PackageFile;
}
