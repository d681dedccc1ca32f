/** The direction of imports. `npm run lint` checks it, and a test plants violations. */

const { LAYOUT } = require('./scripts/layout.cjs');

/** What a folder of src-runtime may import of src-runtime, besides itself. */
const runtimeMayImport = {
  base: [],
  api: ['base'],
  language: ['base'],
  artifact: ['base'],
  compiler: ['base', 'language', 'artifact'],
  engine: ['base', 'artifact'],
  storage: ['base', 'artifact'],
  world: ['base', 'api', 'artifact', 'compiler', 'engine'],
  project: ['base', 'api', 'storage'],
  server: ['base', 'api', 'artifact', 'compiler', 'engine', 'language', 'project', 'storage', 'world'],
  lsp: ['base', 'language', 'project'],
  cli: ['base', 'api', 'artifact', 'compiler', 'language', 'lsp', 'project', 'server', 'world'],
};

/** The files of the command line that need the server's code. */
const SERVER_COMMANDS = '^src-runtime/cli/(build|check|data|files|fmt|serve|test|workbench)\\.ts$';

const pure = ['base', 'api', 'language', 'artifact', 'compiler', 'engine', 'world'];
const tests = '\\.test\\.tsx?$|/testing/';

const layers = Object.entries(runtimeMayImport).map(([folder, allowed]) => ({
  name: `runtime-${folder}`,
  comment: `src-runtime/${folder} imports ${allowed.length === 0 ? 'no other folder' : `only ${allowed.join(', ')}`}.`,
  severity: 'error',
  from: { path: `^src-runtime/${folder}/`, pathNot: tests },
  to: {
    path: '^src-',
    pathNot: [
      `^src-runtime/(${[folder, ...allowed].join('|')})/`,
      // The storage port is an interface; the stores behind it are not for the world to know.
      ...(folder === 'world' ? ['^src-runtime/storage/event-store\\.ts$'] : []),
      // Renaming a file loads no store.
      ...(folder === 'cli' ? ['^src-runtime/storage/rename\\.ts$'] : []),
    ],
  },
}));

/** Folders of one level import each other in one direction: those that the layout lists before them. */
const order = Object.entries(LAYOUT)
  .filter(([level]) => !['.', 'src-runtime', 'src-renderer/panels'].includes(level))
  .flatMap(([level, children]) => {
    const folders = Object.keys(children);
    return folders.slice(0, -1).map((folder, index) => ({
      name: 'folder-order',
      comment: `${level}/${folder} imports no folder that scripts/layout.cjs lists after it.`,
      severity: 'error',
      from: { path: `^${level}/${folder}/`, pathNot: tests },
      to: { path: `^${level}/(${folders.slice(index + 1).join('|')})/` },
    }));
  });

module.exports = {
  forbidden: [
    ...layers,
    ...order,
    {
      name: 'pure-core',
      comment: 'The core runs in a page, a worker and a server alike: no Node modules.',
      severity: 'error',
      from: { path: `^src-runtime/(${pure.join('|')})/`, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'runtime-without-a-window',
      comment: 'The runtime imports neither Electron nor React, tests included.',
      severity: 'error',
      from: { path: '^src-runtime/' },
      to: { path: ['^src-(main|renderer)/', '^node_modules/(electron|react|react-dom|@mantine)/'] },
    },
    {
      name: 'renderer-imports',
      comment: 'The page imports api, language and base; the compiler only in a worker.',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: [tests, '-worker\\.ts$'] },
      to: { path: '^src-(main|runtime)/', pathNot: '^src-runtime/(api|language|base)/' },
    },
    {
      name: 'renderer-worker-imports',
      comment: 'A worker of the page may import the compiler too.',
      severity: 'error',
      from: { path: '^src-renderer/.*-worker\\.ts$' },
      to: { path: '^src-(main|runtime)/', pathNot: '^src-runtime/(api|language|base|compiler)/' },
    },
    {
      name: 'page-without-node',
      comment: 'The page has no Node and no Electron.',
      severity: 'error',
      from: { path: '^src-(renderer|main/preload)/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'panels-apart',
      comment: 'Panels never import each other; what two need lives below them.',
      severity: 'error',
      from: { path: '^src-renderer/panels/([^/]+)/' },
      to: { path: '^src-renderer/panels/', pathNot: '^src-renderer/panels/$1/' },
    },
    {
      name: 'main-imports',
      comment:
        'The desktop imports the server’s entry, the command line, projects, renames, the wire contract, and the page’s host interface as types.',
      severity: 'error',
      from: { path: '^src-main/', pathNot: tests },
      to: {
        path: '^src-(runtime|renderer)/',
        pathNot: [
          '^src-runtime/server/index\\.ts$',
          '^src-runtime/storage/rename\\.ts$',
          '^src-runtime/(api|base|cli|project)/',
          '^src-renderer/host/',
        ],
      },
    },
    {
      name: 'main-loads-the-command-line-late',
      comment: 'Only --cli loads the command line, as a script, so that the application starts without it.',
      severity: 'error',
      from: { path: '^src-main/', pathNot: [tests, '^src-main/run-command-line'] },
      to: { path: '^(src-runtime/cli/|src-main/run-command-line)', dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'main-takes-types-of-the-page',
      comment: 'Of the page the desktop takes types, and the table of menus.',
      severity: 'error',
      from: { path: '^src-main/' },
      to: {
        path: '^src-renderer/',
        pathNot: '^src-renderer/host/menus\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-load-the-server-late',
      comment: 'Commands that only talk to a server start without its code, the world and the compiler.',
      severity: 'error',
      from: { path: '^src-runtime/cli/', pathNot: [tests, SERVER_COMMANDS] },
      to: {
        path: ['^src-runtime/(server/(?!options)|world|compiler|language|lsp)', SERVER_COMMANDS],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'journeys-from-outside',
      comment: 'Journeys see what a user sees: they import no source. (Starting PostgreSQL is no part of the product.)',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^src-', pathNot: '^src-runtime/storage/testing/postgres-cluster[.]ts$' },
    },
    {
      name: 'product-without-benchmarks',
      comment: 'Benchmarks import the product, never the other way round.',
      severity: 'error',
      from: { path: '^(src-|e2e/)' },
      to: { path: '^bench/' },
    },
    {
      name: 'no-cycles',
      comment:
        'Files that import each other in a circle cannot be understood one at a time. (Grammars, types and plans are ' +
        'recursive in themselves; there one construct a file is worth more.)',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-runtime/(language|compiler|engine)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'unresolvable',
      comment: 'Every import leads somewhere. Databases of benchmarks need not be installed.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(@duckdb/|cozo-lib-wasm/|better-sqlite3$)' },
    },
    {
      name: 'declared-dependencies',
      comment: 'The bundler puts a package into the build; package.json pins its version.',
      severity: 'error',
      from: { path: '^src-(main|runtime)/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/electron/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|dist|bench/out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['main', 'module', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
