/**
 * `npm run check`: a quick check of your changes, in under half a minute. Checks format and lint of the changed files, the direction
 * of imports and the types, and runs the unit tests that import a changed file, with a tenth of the cases of property tests. Changed
 * files differ from the branch point with the published main branch, committed or not; `npm run check -- REF` compares with another
 * commit.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

const root = join(import.meta.dirname, '..');
/** If more test files than this import a changed file, only the nearest run: the rest would take minutes. */
const TEST_FILES_MAX = 20;
/** Tests of pages, names and folders. They read files that they do not import, so they always run. */
const ALWAYS = ['scripts/tidy.test.ts', 'scripts/documentation.test.ts'];

const base = process.argv[2] ?? branchPoint();
const changed = changedSince(base);
console.log(`${changed.length} files changed since ${base}.`);

const checks = [
  check('format and lint', 'node_modules/@biomejs/biome/bin/biome', [
    'check',
    '--no-errors-on-unmatched',
    '--files-ignore-unknown=true',
    ...(changed.length > 0 ? changed : ['package.json']),
  ]),
  check('direction of imports', 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs', [
    ...['--config', '.dependency-cruiser.cjs', '--cache', 'node_modules/.cache/dependency-cruiser'],
    ...['src-main', 'src-renderer', 'src-runtime', 'e2e', 'bench'],
  ]),
  check('types', 'scripts/typecheck.mjs', []),
];
const results = [...(await Promise.all([...checks, tests()]))];
for (const { name, isOk, output } of results) {
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name}${isOk || output === '' ? '' : `\n${output}`}`);
}
process.exitCode = results.every(({ isOk }) => isOk) ? 0 : 1;

/** The last commit shared with the published main branch; in a clone without one, the last commit. */
function branchPoint() {
  for (const main of ['origin/HEAD', 'origin/main', 'main']) {
    const [commit] = git(['merge-base', 'HEAD', main]);
    if (commit !== undefined) return commit.slice(0, 12);
  }
  return 'HEAD';
}

/**
 * Changed and new files, relative to the repository's root. A deleted file has nothing left to check.
 * @param {string} commit
 */
function changedSince(commit) {
  return [
    ...git(['diff', '--name-only', '--diff-filter=d', commit]),
    ...git(['ls-files', '--others', '--exclude-standard']),
  ];
}

/**
 * The lines that git prints; none if it fails.
 * @param {string[]} args
 */
function git(args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** @typedef {{ name: string, isOk: boolean, output: string }} Result */

/**
 * Runs a script of the project or of a package, and collects its output because others run at the same time.
 * @param {string} name
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<Result>}
 */
async function check(name, script, args) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { name, isOk: code === 0, output };
}

/** @returns {Promise<Result>} */
async function tests() {
  const vitest = await createVitest('test', {
    root,
    mode: 'quick',
    watch: false,
    related: [...changed, ...ALWAYS].map((path) => join(root, path)),
    // A change of package.json would otherwise select every test.
    forceRerunTriggers: [],
  });
  try {
    await vitest.standalone();
    const related = await vitest.getRelevantTestSpecifications();
    const selected = nearest(related);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(selected);
    const isOk = unhandledErrors.length === 0 && testModules.every((each) => each.ok());
    const left = related.length - selected.length;
    const note = left > 0 ? ` (${left} more test files did not run; npm run test:unit runs them)` : '';
    return { name: `tests${note}`, isOk, output: '' };
  } finally {
    await vitest.close();
  }
}

/**
 * The tests that always run, and those nearest to a change: tests named like a changed file, then those that share most of its path.
 * @param {import('vitest/node').TestSpecification[]} related
 */
function nearest(related) {
  const ranked = related.map((specification) => ({ specification, rank: rankOf(specification) }));
  ranked.sort((left, right) => right.rank - left.rank);
  return ranked.slice(0, TEST_FILES_MAX + ALWAYS.length).map(({ specification }) => specification);
}

/** @param {import('vitest/node').TestSpecification} specification */
function rankOf({ moduleId }) {
  const test = relative(root, moduleId).replaceAll('\\', '/');
  if (ALWAYS.includes(test) || changed.includes(test)) return Number.POSITIVE_INFINITY;
  return Math.max(...changed.map((path) => (stem(path) === stem(test) ? 100 : 0) + sharedFolders(path, test)));
}

/** @param {string} path */
function stem(path) {
  return basename(path).split('.')[0];
}

/**
 * @param {string} left
 * @param {string} right
 */
function sharedFolders(left, right) {
  const [one, other] = [dirname(left).split('/'), dirname(right).split('/')];
  const differs = one.findIndex((folder, index) => folder !== other[index]);
  return differs < 0 ? one.length : differs;
}
