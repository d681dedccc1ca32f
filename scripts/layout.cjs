/**
 * The map of the sources: each folder with one sentence, the lowest first. A folder may import those listed before it and no
 * other folder of its level. The lint rules and `docs/map.md` are derived from this list.
 */

/** Product files that a folder may hold, without those of its subfolders. */
const FILES_MAX = 30;

/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const LAYOUT = {
  '.': {
    'src-runtime': 'Language, compiler, engine, world, storage, server and command line: everything except the UI.',
    'src-renderer': 'The workbench page, in React.',
    'src-main': 'The Electron shell: windows, menus, files, and the worker that runs the runtime.',
    e2e: 'User journeys in Chromium and Electron, and recorded demos. They import no source.',
    bench: 'Benchmarks, with the databases that they compare with, and the check of histories under faults.',
    deploy: 'A Dockerfile, a compose file and configurations of load balancers.',
    scripts: 'The scripts that the commands of `package.json` run.',
    resources: 'Sample modules, icons and entitlements.',
    docs: 'These pages.',
  },
  'src-main': {
    runtime: 'The worker that runs the runtime, its supervisor, and what pages request from it.',
    windows: 'A window: its place, its context menu, and its recovery from a crash.',
    projects: 'A project in a window: its files, its facts, and the recent ones.',
    preload: 'The bridge between the sandboxed page and the main process.',
  },
  'src-runtime': {
    base: 'Spans, diagnostics, invariants, decimals and dates, and the ports for time and pauses.',
    api: 'The HTTP contract as code: error registry, wire schemas and the typed client.',
    language: 'Parses and checks source text.',
    artifact: 'The compiled document: its types, canonical bytes, identity and decoding.',
    compiler: 'Compiles checked modules to an artifact.',
    engine: 'Derives facts and proofs from an artifact and stored facts.',
    storage: 'Stores transactions: the `EventStore` port and the stores behind it.',
    world: 'Facts that change: scopes, forks, transactions, checks, queries and mutations.',
    project: 'A project on disk: its files, its folder, and where its facts are.',
    server: 'Serves the runtime over HTTP.',
    lsp: 'The language service as a language server for other editors.',
    cli: 'The command line, the only reader of arguments and environment.',
  },
  'src-runtime/api': {
    schemas: 'The shapes of requests and responses, one file a resource.',
    operations: 'Each operation of the API, defined once; one file a resource.',
    tables: 'Delimited text and its cells: one reader and one writer for page and command line.',
  },
  'src-runtime/language': {
    ast: 'The syntax tree.',
    codes: 'Every compiler finding, with its example and its fix.',
    parser: 'Parses tokens to a syntax tree; recovers from errors.',
    check: 'Syntax trees to a checked program: names, types and rule safety.',
    service: 'Editor features: completion, hover, definition, rename, quick fixes, outline.',
    format: 'The formatter.',
  },
  'src-runtime/language/check': {
    program: 'The checked program: symbols, types, built-ins, and walking its trees.',
    names: 'Declarations by name, and resolving a name from where it is used.',
    expressions: 'Types of expressions, literals and rule bodies, and whether their variables are bound.',
    analysis: 'Whole-program checks: stratification, termination, recursion, unused declarations.',
    declarations: 'Types of declarations: concepts, rules, callables, mutations, tests and ground truth.',
  },
  'src-runtime/language/service': {
    completion: 'Completions at the cursor.',
  },
  'src-runtime/engine': {
    scheduling: 'Work in blocks, between which a deadline is checked and the event loop runs.',
    values: 'Values as integers: interning, comparing, ordering.',
    'built-ins': 'Arithmetic and the standard functions.',
    program: 'Decodes an artifact: signatures at once, bodies when they are first needed.',
    index: 'Hash indexes over the rows of a relation.',
    relation: 'Rows with their versions: reading, ordering and comparing them.',
    plan: 'Compiles rule bodies to join plans and generated code.',
    evaluate: 'Semi-naive evaluation of one component.',
    demand: 'Evaluation of what a question asks for (magic sets).',
    maintain: 'Incremental maintenance of derived relations after inserts and deletes.',
    store: 'The facts of one scope in memory: snapshots, transactions and queries on them.',
    explain: 'Proofs, why-nots and suggested changes.',
    profile: 'The cost of queries and derives.',
  },
  'src-runtime/engine/plan': {
    physical: 'How plans read rows: sources, generated lookups, a Bloom filter, estimates.',
  },
  'src-runtime/storage': {
    postgres: 'The store of several servers, in a database that speaks PostgreSQL’s protocol.',
  },
  'src-runtime/world': {
    contract: 'The interface of the world for its hosts, as types.',
    state: 'A scope and its forks in memory: history, context, cursors, writers.',
    wire: 'Converts values between the engine and JSON: arguments, entities, firings, pages.',
    read: 'Queries, lists, checks, history and comparisons.',
    explain: 'Explanations of facts, rows and refusals.',
    write: 'Mutations, batches and imports, as guarded transactions.',
    merge: 'Forks and their three-way merge: promote, rebase, cherry-pick, revert.',
    tests: 'Runs `test` blocks and measures their coverage.',
    module: 'Loads and reloads modules: compatibility, renames, affected rules.',
    session: 'One request’s view of a scope, and the runtime that opens it.',
  },
  'src-runtime/server': {
    log: 'The request log and the log of lines.',
    http: 'Access, bodies, envelopes and responses.',
    modules: 'The files of a module: reading, saving, watching and loading them.',
    operations: 'Binds each operation of the API to its function, and registers its routes.',
  },
  'src-renderer': {
    state: 'State that the browser keeps: stores, drafts, preferences and shortcuts.',
    model: 'The page’s domain without React: names of individuals, sentences, calls and forms.',
    host: 'Features that only the desktop or only a browser has, behind one interface.',
    theme: 'Colours, type and the base styles.',
    'server-state': 'Server data as hooks: the client, queries by resource, and the live event stream.',
    ui: 'Lists, trees, panes, menus and sheets that know no domain.',
    workspace: 'The open module: its files, drafts and saves, and the compiler in its worker.',
    graph: 'Layout, drawing and navigation of graphs.',
    domain: 'Views that several panels share.',
    editor: 'The source editor.',
    tour: 'The tour: its steps, and what it has seen.',
    panels: 'One folder a panel; panels never import each other.',
    app: 'The frame around the panels: rail, top bar, palette, status line.',
  },
  'src-renderer/ui': {
    panes: 'Resizable panes, side sheets and tab strips.',
  },
  'src-renderer/model': {
    text: 'Numbers, times and names as text.',
    facts: 'Individuals, relations and facts: labels, addresses, source text.',
    calls: 'Calls, their arguments, forms and variables.',
    sentences: 'Facts and changes in words.',
  },
  'src-renderer/domain': {
    proof: 'Steps of a proof, violations of checks, and suggested changes with their trial on a fork.',
    failure: 'Failures, empty states and loading states.',
    result: 'Results as table, tree, fields, graph or chart.',
    fork: 'Names and pickers of forks.',
    calls: 'Argument forms, results of calls, collections and environments.',
    past: 'The moment that the page reads: the timeline, and the notice of it.',
  },
  'src-renderer/panels': {
    module: 'Edit, preview and save the module.',
    invoke: 'Call a query, mutation or function.',
    query: 'Ad-hoc queries, derives and mutations.',
    data: 'Browse, edit, import and export facts.',
    explain: 'Proofs of facts, and why a fact is missing.',
    forks: 'Create, compare, promote and discard forks; the history.',
    checks: 'Checks and their violations.',
    tests: 'Run the module’s tests; coverage.',
    log: 'Requests and responses.',
    settings: 'Limits, connection, appearance and shortcuts.',
    docs: 'The bundled docs: reading and searching them.',
  },
  'src-renderer/panels/data': {
    rows: 'The rows and columns of a list, read block by block.',
    edit: 'Adding, editing and removing rows, staged or at once.',
    import: 'Importing files.',
    grid: 'The grid: cells, selection, keyboard, copy and paste.',
  },
  'src-renderer/panels/explain': {
    find: 'Choosing what to explain.',
    steps: 'The steps of a proof as outline and sentences.',
    graph: 'The proof as a graph.',
    trial: 'Suggested changes for the shown fact, and the state after a dry run.',
  },
  'src-renderer/panels/forks': {
    compare: 'Comparing two forks.',
    graph: 'The graph of forks.',
    history: 'The transactions of a fork.',
    merge: 'The sheets for promoting, rebasing, cherry-picking and reverting.',
  },
  'src-renderer/panels/log': {
    compare: 'Comparing two requests.',
    bundle: 'Repro bundles.',
    list: 'The list of requests and its filters.',
  },
  'src-renderer/panels/module': {
    changes: 'Effects of a save: preview, conflicts and the save history.',
    diagram: 'The schema diagram.',
    editor: 'The editor’s commands for a module.',
  },
};

module.exports = { FILES_MAX, LAYOUT };
