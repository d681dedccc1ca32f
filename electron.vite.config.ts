/**
 * Builds everything that runs into `out/`: `main` (the Electron main process, the worker thread that hosts the runtime, and
 * the command line), `preload` (one CommonJS file, as the sandbox demands) and `renderer` (the workbench page).
 */

import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin, type Rolldown } from 'vite';
import { licenceCollector } from './scripts/licences.js';
import { PANEL_ATTRIBUTE } from './src-runtime/api/page-html.js';

type OutputBundle = Rolldown.OutputBundle;

const root = import.meta.dirname;

/** Code that only some panels need. */
const OF_FEW_PANELS = [
  'src-renderer/graph',
  'src-renderer/domain/calls',
  'src-renderer/domain/proof',
  'src-renderer/model/sentences',
  'src-renderer/domain/result',
  'src-renderer/domain/failure/failure-violations',
  'src-renderer/model/calls/argument-draft',
  'src-renderer/model/calls/form-model',
  'src-renderer/model/calls/variable-completion',
  'src-renderer/model/text/decimal-places',
  'src-renderer/model/text/instants',
  'src-renderer/ui/caret-place',
  'components/Autocomplete/',
  'icons/IconBraces',
  'icons/IconCalendar',
  'icons/IconCheck.',
  'icons/IconCornerLeftUp',
  'src-renderer/domain/failure/repairs',
  'src-renderer/domain/failure/argument-repairs',
  'src-renderer/domain/failure/individual-deleted',
  'src-renderer/domain/failure/suggestion-actions',
  'src-renderer/domain/failure/refusal-proof',
  'src-renderer/domain/fork/trial-notice',
  'src-renderer/workspace/open-project',
  'src-renderer/workspace/samples',
  'elk-api',
];

/**
 * Code that several chunks share goes into one chunk, not one for each set of them: a browser opens six connections to a
 * server, and some forty small files would keep the page's first requests waiting. Code of few panels is left out.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  {
    name: 'first',
    priority: 3,
    test: /src-renderer\/(host\/(?!menus)|server-state\/early-answers|state\/page-storage)|api\/request-filter/,
  },
  { name: 'editor', priority: 2, test: /node_modules\/(@codemirror\/(?!search)|@lezer|style-mod|w3c-keyname|crelt)\b/ },
  { name: 'shared', priority: 1, minShareCount: 5, test: (id) => !OF_FEW_PANELS.some((part) => id.includes(part)) },
];

/** Everything else is bundled. sql.js reads its WebAssembly file from its own folder. */
const UNBUNDLED = ['sql.js'];

const licences = licenceCollector(UNBUNDLED.map((name) => join(root, 'node_modules', name)));

/** The command line runs in the oldest Node that we support, which is older than Electron's. */
const TARGET = 'node20';

/** V8 stores a script with two bytes a character if one of them is not Latin-1, such as “→”. With escapes, it takes half. */
const CHARSET = 'ascii';

/** Half the size loads in half the time (bench:desktop). Stack traces in logs still name functions. */
const MINIFY: Rolldown.MinifyOptions = {
  mangle: { keepNames: true },
  compress: { keepNames: { function: true, class: true } },
};

export default defineConfig({
  main: {
    plugins: [licences.collect(), desktopScripts()],
    build: {
      target: TARGET,
      externalizeDeps: false,
      sourcemap: true,
      rolldownOptions: {
        output: { charset: CHARSET, minify: MINIFY },
        external: UNBUNDLED,
        input: {
          index: resolve(root, 'src-main/index.ts'),
          'runtime-worker': resolve(root, 'src-main/runtime/worker-entry.ts'),
          entail: resolve(root, 'src-runtime/cli/entail.ts'),
          // What `entail` runs, for journeys, whose servers share a process.
          program: resolve(root, 'src-runtime/cli/program.ts'),
        },
      },
    },
  },
  preload: {
    plugins: [licences.collect()],
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
      // Panels have addresses of several levels, so assets need absolute addresses; electron-vite would make them relative.
      { name: 'assets-from-the-root', config: () => ({ base: '/' }) },
      startFirst(),
      licences.collect(),
      licences.emit(),
    ],
    worker: {
      format: 'es',
      plugins: () => [licences.collect()],
      rolldownOptions: { output: { charset: CHARSET } },
    },
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: '[hash:base64:5]' } },
    build: {
      target: 'es2023',
      minify: true,
      // The largest is the graph layout's worker; all of them come from the disk.
      chunkSizeWarningLimit: 2_000,
      outDir: resolve(root, 'out/renderer'),
      rolldownOptions: {
        input: { index: resolve(root, 'src-renderer/index.html'), start: resolve(root, 'src-renderer/start.ts') },
        output: { charset: CHARSET, codeSplitting: { groups: CHUNKS } },
      },
    },
  },
});

/**
 * Builds what `index` and `runtime-worker` load: CommonJS, because V8's compiled code can be kept only for such scripts
 * (`src-main/cached-script.ts`). The package has these scripts, and neither `entail` nor its modules.
 */
function desktopScripts(): Plugin {
  return {
    name: 'desktop-scripts',
    async closeBundle() {
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        plugins: [licences.collect()],
        ssr: { noExternal: true, external: ['electron', ...UNBUNDLED] },
        build: {
          ssr: true,
          target: TARGET,
          outDir: resolve(root, 'out/main/desktop'),
          sourcemap: true,
          rolldownOptions: {
            output: {
              format: 'cjs',
              entryFileNames: '[name].cjs',
              chunkFileNames: 'chunks/[name]-[hash].cjs',
              charset: CHARSET,
              minify: MINIFY,
            },
            input: {
              application: resolve(root, 'src-main/application.ts'),
              'run-command-line': resolve(root, 'src-main/run-command-line.ts'),
              'runtime-worker': resolve(root, 'src-main/runtime/runtime-worker.ts'),
            },
          },
        },
      });
    },
  };
}

/** A panel opens at the name of its folder: `panels/data/data-panel.tsx` at `/data`. */
const PANEL = /src-renderer\/panels\/([^/]+)\/\1-panel\.tsx$/;

/**
 * Runs the start script first, and adds links that preload the page's code and each panel's. The server keeps only the links of the
 * panel that the page opens on. So the browser loads everything from the first line on.
 */
function startFirst(): Plugin {
  const start = resolve(root, 'src-renderer/start.ts');
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
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const filesFrom = (entry: Rolldown.OutputChunk): readonly string[] =>
          filesOf(bundle, entry.fileName).filter((file) => !html.includes(`"/${file}"`));
        // A preloaded style that is not used soon causes a warning in the console, so styles are linked instead.
        const link = (file: string, attrs: Record<string, string> = {}) => ({
          tag: 'link',
          attrs: { ...attrs, rel: isStyle(file) ? 'stylesheet' : 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        });
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId === start);
        if (first === undefined) throw new Error('the start has no chunk of its own');
        const early = filesFrom(first);
        const later = chunks.flatMap((chunk) => {
          const [, panel] = PANEL.exec(chunk.facadeModuleId ?? '') ?? [];
          if (panel === undefined) return [];
          const files = filesFrom(chunk).filter((file) => !early.includes(file));
          return files.map((file) => link(file, { [PANEL_ATTRIBUTE]: `/${panel}` }));
        });
        return [script(`/${first.fileName}`), ...early.map((file) => link(file)), ...later];
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
