/**
 * Differences between two states of one program: the stored facts, derived facts and violations that only one of them has, in pages or
 * counted. Relations are compared one at a time, and only those that a page needs.
 */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { DIFF_SIDES } from '../../api/schemas/wire-constants.js';
import type { CheckDeclaration, Type } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import {
  BLOCK_ITEMS,
  drive,
  factId,
  NONE,
  orderRows,
  type Program,
  type RelationInfo,
  type RelationReader,
  type View,
} from '../../engine/index.js';
import type { DiffFilter, Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { isStoredKind } from '../state/scope.js';
import { wireTuple } from '../state/stored-tuples.js';
import { requireRelation, withFaults } from '../wire/faults.js';
import { type OpenSection, pageOfSections, type Section } from '../wire/orders.js';
import { renderViolation } from '../wire/violations.js';

/** What a cursor over differences is bound to. */
export function filterKey({ layers, relation, sides = DIFF_SIDES }: DiffFilter): JsonValue {
  return [layers.join(' '), relation ?? null, sides.join(' ')];
}

/**
 * Sorted by relation, then in the language's order of tuples. Throws VALIDATION_FAILED for an unknown relation, DERIVE_FAILED and, for
 * violations, CHECK_EVAL_FAILED.
 */
export async function pageOfDifferences(
  left: View,
  right: View,
  filter: DiffFilter,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const sections = comparedIn(left, filter).map((compared) =>
    differenceSection(left, right, compared, filter, deadline),
  );
  const { rows, ...more } = await pageOfSections(left, sections, request, deadline);
  const result: ForkDiffRow[] = [];
  for (const [index, { section, codes }] of rows.entries()) {
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
    const isRight = codes.at(-1) === RIGHT;
    result.push(await wireRow(isRight ? right : left, section.compared, codes, deadline));
  }
  return { result, ...more };
}

/** The relations that differ, sorted by path. Throws like `pageOfDifferences`. */
export async function countDifferences(
  left: View,
  right: View,
  filter: DiffFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  const counts: ForkDiffCount[] = [];
  for (const compared of comparedIn(left, filter)) {
    const count = { [LEFT]: 0, [RIGHT]: 0 };
    let both = 0;
    await differences(left, right, compared, deadline, (_, side, isOnBoth) => {
      count[side] += 1;
      if (isOnBoth && side === LEFT) both += 1;
    });
    if (count[LEFT] + count[RIGHT] === 0) continue;
    const { info, kind, check } = compared;
    const named = check !== undefined && { check: check.path };
    const changed = both > 0 && { both };
    counts.push({ relation: info.path, kind, ...named, left: count[LEFT], right: count[RIGHT], ...changed });
  }
  return counts;
}

const BOOL: Type = { kind: 'scalar', name: 'Bool' };
/** Codes of a Bool. The side is the last column of a row, so that both sides of one value are adjacent. */
const LEFT = 0;
const RIGHT = 1;
type Side = typeof LEFT | typeof RIGHT;

interface Compared {
  readonly info: RelationInfo;
  readonly kind: ForkDiffRow['kind'];
  /** Present if the relation holds violations. */
  readonly check: CheckDeclaration | undefined;
}

function comparedIn(view: View, { layers, relation }: DiffFilter): Compared[] {
  const { program } = view;
  const checks = new Map([...program.checks.values()].map((check) => [program.relationOfCheck(check.path), check]));
  if (relation !== undefined) {
    return [comparedAs(checks, requireRelation(view, relation, 'SVC_RUNTIME_VALIDATION_FAILED'))];
  }
  return [...program.relations.values()]
    .map((info) => comparedAs(checks, info))
    .filter(({ kind }) => layers.includes(kind === 'firing' ? 'firings' : kind))
    .sort((one, other) => (one.info.path < other.info.path ? -1 : 1));
}

function comparedAs(checks: ReadonlyMap<string, CheckDeclaration>, info: RelationInfo): Compared {
  if (isStoredKind(info.kind)) return { info, kind: 'stored', check: undefined };
  const check = checks.get(info.path);
  return { info, kind: check === undefined ? 'derived' : 'firing', check };
}

interface DifferenceSection extends Section {
  readonly compared: Compared;
}

function differenceSection(
  left: View,
  right: View,
  compared: Compared,
  { sides = DIFF_SIDES }: DiffFilter,
  deadline: Deadline,
): DifferenceSection {
  const { info } = compared;
  const types = [...info.endpoints.map(({ type }) => type), BOOL];
  let opened: Promise<OpenSection> | undefined;
  const open = async (): Promise<OpenSection> => {
    const codes: number[] = [];
    await differences(left, right, compared, deadline, (row, side, isOnBoth) => {
      if (!sides.includes(isOnBoth ? 'both' : side === LEFT ? 'left' : 'right')) return;
      for (const code of row) codes.push(code);
      codes.push(side);
    });
    const size = codes.length / types.length;
    return {
      size,
      order: async () => drive(orderRows(left, types, { codes: Int32Array.from(codes), size }), deadline),
    };
  };
  return {
    compared,
    key: info.path,
    types,
    open() {
      opened ??= open();
      return opened;
    },
  };
}

/**
 * Calls back with each row that only one side has, and whether it is a field value that differs on the other side. Skips relations whose
 * sides share a state.
 */
async function differences(
  left: View,
  right: View,
  compared: Compared,
  deadline: Deadline,
  found: (codes: readonly number[], side: Side, isOnBoth: boolean) => void,
): Promise<void> {
  const { info } = compared;
  const isField = info.kind === 'field';
  const ofLeft = await readerOf(left, compared, deadline);
  const ofRight = await readerOf(right, compared, deadline);
  if (ofLeft.state === ofRight.state) return;
  for (const [side, own, others] of [
    [LEFT, ofLeft, ofRight],
    [RIGHT, ofRight, ofLeft],
  ] as const) {
    await others.prepare([...info.endpoints.keys()], deadline);
    await drive(
      lacking(own, others, (codes) => found(codes, side, isField && others.codeOf(codes[0] ?? NONE) !== NONE)),
      deadline,
    );
  }
}

function* lacking(
  own: RelationReader,
  others: RelationReader,
  found: (codes: readonly number[]) => void,
): Generator<void, void> {
  let seen = 0;
  for (const codes of own.rows()) {
    if (!others.has(codes)) found(codes);
    seen += 1;
    if (seen % BLOCK_ITEMS === 0) yield;
  }
}

function readerOf(view: View, { info, check }: Compared, deadline: Deadline): MaybePromise<RelationReader> {
  return failingAs(view.program, info, check, async () => view.materialise(info.path, deadline));
}

async function wireRow(
  view: View,
  compared: Compared,
  codes: readonly number[],
  deadline: Deadline,
): Promise<ForkDiffRow> {
  const { info, kind, check } = compared;
  const tuple = wireTuple(view, info, codes);
  const violation =
    check &&
    (await failingAs(view.program, info, check, () => renderViolation(view, check, codes.slice(0, -1), deadline)));
  return {
    only: codes.at(-1) === RIGHT ? 'right' : 'left',
    kind,
    factId: factId(info.path, tuple),
    relation: info.path,
    tuple,
    ...(violation !== undefined && { firing: violation }),
  };
}

function failingAs<T>(
  program: Program,
  info: RelationInfo,
  check: CheckDeclaration | undefined,
  work: () => Promise<T>,
): MaybePromise<T> {
  const failed = check === undefined ? 'SVC_RUNTIME_DERIVE_FAILED' : 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  return withFaults(program, check?.path ?? info.path, failed, work, failed);
}
