/** The changes of one layer, grouped by the individual that they are about, each group with the parts of its headline. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { labelOfFields } from '../../../model/facts/labels.js';
import { fieldName, shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import type { Change, ComparisonRow } from './comparison-rows.js';

export interface ChangeGroup {
  readonly key: string;
  /** Of the individual if it was created or deleted, else of all its facts, or `changed` if they differ. */
  readonly change: Change;
  /** Whether the individual itself was created or deleted. */
  readonly isWhole: boolean;
  /** Undefined for facts that are about no individual. */
  readonly id: string | undefined;
  /** Label by the fields of a created or deleted individual. */
  readonly label: string | undefined;
  /** Its concept, or the relation of facts that are about no individual. */
  readonly of: string;
  readonly rows: readonly ComparisonRow[];
  readonly parts: readonly HeadlinePart[];
}

/** `rent 640 → 700`, `+ tenantOf Dana`, `status signed`. */
export interface HeadlinePart {
  readonly change: Change;
  readonly name: string;
  readonly isField: boolean;
  readonly before: readonly JsonValue[];
  readonly after: readonly JsonValue[];
}

type Schema = Pick<ServedSchema, 'concepts'>;

/**
 * In this order: created, changed, deleted individuals. `whole` are the individuals that the diff creates or deletes: a fact about several
 * individuals goes with one of them, else with the first.
 */
export function changeGroups(
  rows: readonly ComparisonRow[],
  schema: Schema,
  infoOf: (relation: string) => RelationInfo | undefined,
  whole: ReadonlySet<string>,
): readonly ChangeGroup[] {
  const byKey = new Map<string, { id: string | undefined; of: string; rows: ComparisonRow[] }>();
  for (const row of rows) {
    const info = infoOf(row.relation);
    const subject = subjectOf(row, info, whole);
    const key = subject === undefined ? row.relation : `${subject.id}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, { id: subject?.id, of: subject?.concept ?? row.relation, rows: [row] });
    else {
      // The most specific concept that a row says.
      if (subject !== undefined && isBelow(schema, subject.concept, group.of)) group.of = subject.concept;
      group.rows.push(row);
    }
  }
  return [...byKey]
    .map(([key, group]) => groupOf(key, group, infoOf))
    .sort((left, right) => ORDER[left.change] - ORDER[right.change]);
}

const ORDER: Readonly<Record<Change, number>> = { added: 0, changed: 1, removed: 2 };

/** The individuals that stored rows create or delete. */
export function wholeIndividuals(
  rows: readonly ComparisonRow[],
  infoOf: (relation: string) => RelationInfo | undefined,
): ReadonlySet<string> {
  return new Set(
    rows.filter(({ relation }) => infoOf(relation)?.kind === 'concept').map((row) => String(tupleOf(row)[0])),
  );
}

export function tupleOf({ left, right }: Pick<ComparisonRow, 'left' | 'right'>): readonly JsonValue[] {
  return right ?? left ?? [];
}

function subjectOf(
  row: ComparisonRow,
  info: RelationInfo | undefined,
  whole: ReadonlySet<string>,
): { readonly id: string; readonly concept: string } | undefined {
  const individuals = tupleOf(row).flatMap((value, position) => {
    const type = info?.endpoints[position]?.type;
    return type?.kind === 'class' && typeof value === 'string' ? [{ id: value, concept: type.path }] : [];
  });
  return individuals.find(({ id }) => whole.has(id)) ?? individuals[0];
}

function isBelow({ concepts }: Schema, path: string, above: string): boolean {
  const parentOf = (each: string) => concepts.find((concept) => concept.path === each)?.parent ?? undefined;
  for (let at = parentOf(path); at !== undefined; at = parentOf(at)) if (at === above) return true;
  return false;
}

function groupOf(
  key: string,
  { id, of, rows }: { readonly id: string | undefined; readonly of: string; readonly rows: readonly ComparisonRow[] },
  infoOf: (relation: string) => RelationInfo | undefined,
): ChangeGroup {
  const isMembership = ({ relation }: ComparisonRow): boolean => infoOf(relation)?.kind === 'concept';
  const [membership] = rows.filter(isMembership);
  const isWhole =
    membership !== undefined && rows.filter(isMembership).every(({ change }) => change === membership.change);
  const [first] = rows;
  const isUniform = rows.every(({ change }) => change === first?.change);
  const label = isWhole ? labelIn(rows, infoOf) : undefined;
  const parts = rows
    .filter((row) => !isMembership(row))
    .map((row) => partOf(row, infoOf(row.relation), id))
    // The label of a new individual is the value of a field, which need not be repeated.
    .filter(({ isField, before, after }) => !(isField && label !== undefined && (after[0] ?? before[0]) === label))
    .sort((left, right) => Number(right.isField) - Number(left.isField));
  return {
    ...{ key, id, of, rows, parts, label, isWhole },
    change: isWhole
      ? membership.change
      : membership === undefined && isUniform
        ? (first?.change ?? 'changed')
        : 'changed',
  };
}

function labelIn(
  rows: readonly ComparisonRow[],
  infoOf: (relation: string) => RelationInfo | undefined,
): string | undefined {
  const fields = rows.filter(({ relation }) => infoOf(relation)?.kind === 'field');
  return labelOfFields(Object.fromEntries(fields.map((row) => [fieldName(row.relation), tupleOf(row)[1]])));
}

function partOf(row: ComparisonRow, info: RelationInfo | undefined, id: string | undefined): HeadlinePart {
  const isField = info?.kind === 'field';
  const position = tupleOf(row).indexOf(id ?? '');
  const others = (tuple: readonly JsonValue[] = []): readonly JsonValue[] =>
    tuple.filter((_, index) => index !== position);
  return {
    change: row.change,
    name: isField ? fieldName(row.relation) : shortName(row.relation),
    isField,
    before: others(row.left),
    after: others(row.right),
  };
}
