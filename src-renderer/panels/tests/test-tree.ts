/** The tests of a module as a tree of files and tests, in source order. */

import type { ModuleTestInfo } from '../../../src-runtime/api/schemas/test-schemas.js';
import { type TestRuns, type TestVerdict, testKey, turnOf, verdictOf } from '../../model/facts/test-runs.js';
import type { TreeNode } from '../../ui/tree-model.js';

export interface TestNode extends TreeNode {
  /** Undefined for a file. */
  readonly test: ModuleTestInfo | undefined;
  readonly name: string;
  /** For a file, the worst of its tests. */
  readonly verdict: TestVerdict;
  /** Change by the last run; undefined for a file. */
  readonly turn: ReturnType<typeof turnOf>;
  /** Undefined before a test has finished. */
  readonly ms: number | undefined;
  readonly children: readonly TestNode[];
}

export type TestShow = 'all' | 'failed';

export function testTree(
  tests: readonly ModuleTestInfo[],
  runs: TestRuns,
  { find, show }: { readonly find: string; readonly show: TestShow },
): TestNode[] {
  const wanted = find.trim().toLowerCase();
  const byFile = new Map<string, TestNode[]>();
  for (const test of tests) {
    const id = testKey(test);
    const verdict = verdictOf(id, runs);
    const failing = runs.results[id]?.passed === false;
    if (!id.toLowerCase().includes(wanted) || (show === 'failed' && !failing)) continue;
    const result = runs.results[id];
    const node: TestNode = { id, test, name: test.name, verdict, turn: turnOf(result), ms: result?.ms, children: [] };
    const { file } = test.span;
    const nodes = byFile.get(file);
    if (nodes === undefined) byFile.set(file, [node]);
    else nodes.push(node);
  }
  return [...byFile].map(([file, children]) => ({
    id: `file ${file}`,
    test: undefined,
    name: file,
    verdict: worst(children),
    turn: undefined,
    ms: sum(children),
    children,
  }));
}

/** The tests of a node. */
export function testsOf(node: TestNode): ModuleTestInfo[] {
  return node.test === undefined ? node.children.flatMap(testsOf) : [node.test];
}

const WORST_FIRST: readonly TestVerdict[] = ['running', 'failed', 'waiting', 'not run', 'passed'];

function worst(nodes: readonly TestNode[]): TestVerdict {
  return WORST_FIRST.find((verdict) => nodes.some((node) => node.verdict === verdict)) ?? 'not run';
}

function sum(nodes: readonly TestNode[]): number | undefined {
  const times = nodes.flatMap(({ ms }) => ms ?? []);
  return times.length === 0 ? undefined : times.reduce((total, ms) => total + ms, 0);
}
