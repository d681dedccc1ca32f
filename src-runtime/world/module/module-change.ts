/**
 * What another module changes over the same stored facts: added, removed and changed declarations, and gained and lost facts of derived
 * relations, defines and checks. Only what depends on a changed declaration is evaluated, within a time limit.
 */

import type { DeclarationChange, ModuleChange, RelationChange, Remark } from '../../api/schemas/module-schemas.js';
import type { Firing } from '../../api/schemas/schemas.js';
import type { Artifact } from '../../artifact/types.js';
import { type Clock, type Deadline, DeadlineExceeded, earlierDeadline } from '../../base/ports.js';
import {
  drive,
  EvaluationFault,
  factId,
  mapped,
  type Program,
  type RelationInfo,
  type RelationReader,
  type View,
} from '../../engine/index.js';
import { wireTuple } from '../state/stored-tuples.js';
import { renderViolation } from '../wire/violations.js';
import { affectedRules, meaningOf } from './affected-rules.js';
import { individualsWithout, isRequired } from './compatibility.js';
import { NO_RENAMES, type Renames } from './renames.js';

/** Larger relations are not compared fact by fact; only their counts are returned. */
const COMPARED_FACTS_MAX = 50_000;
const EXAMPLES_MAX = 5;
const VIOLATIONS_MAX = 20;

/** Declarations that differ in more than position, documentation and renamed paths. */
export function declarationChanges(
  before: Artifact,
  after: Artifact,
  { renaming, nameOf }: Renames,
): DeclarationChange[] {
  const now = declarationsOf(after);
  const old = declarationsOf(before, renaming && nameOf);
  const changes: DeclarationChange[] = [];
  for (const [key, { kind, path, isPublic, text }] of now) {
    const known = old.get(key);
    if (known?.text === text) continue;
    changes.push({ change: known === undefined ? 'added' : 'changed', kind, path, public: isPublic });
  }
  for (const [key, { kind, path, isPublic }] of old) {
    if (!now.has(key)) changes.push({ change: 'removed', kind, path, public: isPublic });
  }
  return changes;
}

/** Compares derived facts over the same history. When `budgetMs` is used up, sets `cut` and leaves out the remaining relations. */
export async function derivedChanges(
  before: View,
  after: View,
  renames: Renames,
  { clock, budgetMs }: { readonly clock: Clock; readonly budgetMs: number },
  deadline: Deadline,
): Promise<Pick<ModuleChange, 'relations' | 'firings' | 'remarks' | 'cut'>> {
  const limited = earlierDeadline(clock, budgetMs, deadline);
  const relations: RelationChange[] = [];
  const violations: Firing[] = [];
  const remarks: Remark[] = [];
  try {
    remarks.push(...(await remarksOnStored(before, after, limited)));
    for (const path of affectedRelations(before.program, after.program, renames)) {
      const found = await compareRelation({ before, after, renames }, path, violations, limited);
      if (found !== undefined) relations.push(found);
    }
    return { relations, firings: violations, remarks, cut: false };
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { relations, firings: violations, remarks, cut: true };
  }
}

/** New facts about stored data that block nothing. */
async function remarksOnStored(before: View, after: View, deadline: Deadline): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const field of after.program.fields.values()) {
    if (field.navigation || field.type.kind === 'optional' || field.default === undefined) continue;
    if (isRequired(before, field)) continue;
    const count = (await individualsWithout(after, field, deadline)).length;
    if (count === 0) continue;
    const remark = 'has no value for existing individuals; its default applies to new ones only';
    remarks.push({ declaration: field.path, remark, count });
  }
  for (const { path, severity } of after.program.checks.values()) {
    if (severity !== 'blocking' || before.program.checks.get(path)?.severity !== 'warning') continue;
    const count = sizeOf(await sideOf(after, path, deadline)) ?? 0;
    if (count === 0) continue;
    remarks.push({ declaration: path, remark: 'is blocking now; its existing violations do not block', count });
  }
  return remarks;
}

interface Declared {
  readonly kind: DeclarationChange['kind'];
  readonly path: string;
  readonly isPublic: boolean;
  readonly text: string;
}

/** With `nameOf`, as if declarations had other names. */
function declarationsOf(artifact: Artifact, nameOf?: (path: string) => string): Map<string, Declared> {
  const { schema } = artifact;
  const groups: readonly [DeclarationChange['kind'], readonly { readonly path: string; readonly public: boolean }[]][] =
    [
      ['context', schema.context.map((field) => ({ ...field, path: field.name, public: true }))],
      ['enum', schema.enums],
      ['concept', schema.concepts],
      ['relation', schema.relations],
      ['individual', artifact.individuals],
      ['derive', artifact.rules],
      ['define', artifact.defines],
      ['check', artifact.checks.filter((check) => !check.builtIn)],
      ['query', artifact.queries],
      ['mutation', artifact.mutations],
      ['function', artifact.functions],
    ];
  const all = groups.flatMap(([kind, items]) =>
    items.map((item): [string, Declared] => [
      `${kind} ${nameOf?.(item.path) ?? item.path}`,
      { kind, path: item.path, isPublic: item.public, text: renamedMeaning(item, nameOf) },
    ]),
  );
  return new Map(all);
}

function renamedMeaning(declaration: object, nameOf: ((path: string) => string) | undefined): string {
  const text = meaningOf(declaration);
  if (nameOf === undefined) return text;
  return JSON.stringify(
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value !== 'string' || !value.includes('::')) return value;
      return value.startsWith('@') ? `@${nameOf(value.slice(1))}` : nameOf(value);
    }),
  );
}

/** Rules, defines and checks of either program whose facts may differ. Those of the candidate come first, under its names. */
function affectedRelations(before: Program, after: Program, { renaming, nameOf }: Renames): readonly string[] {
  const paths = [...new Set([...after.rules.keys(), ...[...before.rules.keys()].map(nameOf)])];
  return renaming === undefined ? paths.filter(affectedRules(before, after)) : paths;
}

interface Sides {
  readonly before: View;
  readonly after: View;
  readonly renames: Renames;
}

/** Undefined if nothing differs. */
async function compareRelation(
  { before, after, renames }: Sides,
  path: string,
  violations: Firing[],
  deadline: Deadline,
): Promise<RelationChange | undefined> {
  const old = await sideOf(before, renames.formerNameOf(path) ?? path, deadline);
  const now = await sideOf(after, path, deadline);
  const info = (now ?? old)?.info;
  if (info === undefined) return undefined;
  const kind = info.kind === 'check' || info.kind === 'define' ? info.kind : 'derived';
  const counts = { relation: path, kind, before: sizeOf(old), after: sizeOf(now) } as const;
  if (old?.fault !== undefined || now?.fault !== undefined) {
    const fault = now?.fault ?? old?.fault;
    return { ...counts, gained: null, lost: null, examples: [], ...(fault !== undefined && { fault }) };
  }
  if (Math.max(counts.before ?? 0, counts.after ?? 0) > COMPARED_FACTS_MAX) {
    return counts.before === counts.after ? undefined : { ...counts, gained: null, lost: null, examples: [] };
  }
  const texts = {
    before: await textsOf(before, old, renames, deadline),
    after: await textsOf(after, now, NO_RENAMES, deadline),
  };
  const gained = [...texts.after.keys()].filter((text) => !texts.before.has(text)).sort();
  const lost = [...texts.before.keys()].filter((text) => !texts.after.has(text)).sort();
  if (gained.length === 0 && lost.length === 0) return undefined;
  const check = after.program.checks.get(path);
  if (check !== undefined && !check.builtIn) {
    for (const text of gained.slice(0, Math.max(0, VIOLATIONS_MAX - violations.length))) {
      violations.push(await renderViolation(after, check, texts.after.get(text) ?? [], deadline));
    }
  }
  return {
    ...counts,
    gained: gained.length,
    lost: lost.length,
    examples: [...examples('after', path, gained), ...examples('before', path, lost)],
  };
}

interface Side {
  readonly info: RelationInfo;
  /** Absent if the relation cannot be evaluated. */
  readonly rows?: RelationReader;
  readonly fault?: string;
}

/** Undefined if the program lacks the relation. */
async function sideOf(view: View, path: string, deadline: Deadline): Promise<Side | undefined> {
  const info = view.program.relations.get(path);
  if (info === undefined) return undefined;
  try {
    return { info, rows: await view.materialise(path, deadline) };
  } catch (error) {
    if (!(error instanceof EvaluationFault)) throw error;
    return { info, fault: error.message };
  }
}

function sizeOf(side: Side | undefined): number | null {
  if (side === undefined) return 0;
  return side.rows?.size ?? null;
}

/** The codes of each row by its wire form, which is the same under both programs. */
async function textsOf(
  view: View,
  side: Side | undefined,
  { tupleOf }: Renames,
  deadline: Deadline,
): Promise<Map<string, readonly number[]>> {
  if (side?.rows === undefined) return new Map();
  const { info, rows } = side;
  const pairs = mapped(
    rows.rows(),
    (codes) => [JSON.stringify(tupleOf(info.path, wireTuple(view, info, codes))), [...codes]] as const,
  );
  return new Map(await drive(pairs, deadline));
}

function examples(only: 'before' | 'after', relation: string, texts: readonly string[]): RelationChange['examples'] {
  return texts.slice(0, EXAMPLES_MAX).map((text) => {
    const tuple = JSON.parse(text) as RelationChange['examples'][number]['tuple'];
    return { only, factId: factId(relation, tuple), relation, tuple };
  });
}
