/**
 * Does a candidate program fit the live facts of a scope? The scope has been rebuilt under the candidate, so that the
 * question becomes: which facts of the old scope does the new one not have, and which of its own rules do they break?
 */

import type { FieldDeclaration, Json } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import { drive, filtered, fromWire, type RelationInfo, toWire, typeText, type View } from '../engine/index.js';
import { historyEnvironment } from './individuals.js';
import { brokenRefinement } from './refinements.js';
import { factKey, isStoredKind, type Scope } from './scope.js';

export interface Incompatibility {
  /** Path of the declaration that stored facts use. */
  readonly declaration: string;
  /** What the candidate did to it: completes "declaration …". */
  readonly reason: string;
  /** How many stored facts use it. */
  readonly facts: number;
}

export async function findIncompatibilities(old: Scope, candidate: Scope, pacer: Pacer): Promise<Incompatibility[]> {
  const before = old.facts.view();
  const after = candidate.facts.view();
  try {
    const found = await lostFacts(old, before, after, pacer);
    const lost = new Set(found.map(({ declaration }) => declaration));
    found.push(...(await missingRequired(before, after, lost, pacer)));
    found.push(...(await brokenRefinements(candidate, after, pacer)));
    found.push(...(await brokenMultiplicities(before, after, pacer)));
    return found;
  } finally {
    before.release();
    after.release();
  }
}

async function lostFacts(old: Scope, before: View, after: View, pacer: Pacer): Promise<Incompatibility[]> {
  const found: Incompatibility[] = [];
  for (const info of before.program.relations.values()) {
    if (!isStoredKind(info.kind)) continue;
    const lost = filtered(before.stored(info.path).rows(), (row) => {
      if (old.declared.has(factKey(info.path, row))) return false;
      const tuple = info.endpoints.map(({ type }, index) =>
        toWire(type, before.interner.decode(type, row[index] as number)),
      );
      return !holdsIn(after, info.path, tuple);
    });
    const facts = (await drive(lost, pacer)).length;
    if (facts > 0) found.push({ declaration: info.path, reason: reasonOf(info, after), facts });
  }
  return found;
}

function holdsIn(view: View, path: string, tuple: readonly Json[]): boolean {
  const info = view.program.relations.get(path);
  if (!info || !isStoredKind(info.kind) || info.endpoints.length !== tuple.length) return false;
  const environment = historyEnvironment(view, false);
  const codes: number[] = [];
  for (const [index, { type }] of info.endpoints.entries()) {
    const read = fromWire(type, tuple[index] ?? null, environment);
    if (!read.ok) return false;
    codes.push(view.interner.encode(type, read.value));
  }
  return view.stored(path).has(codes);
}

function reasonOf(old: RelationInfo, after: View): string {
  const now = after.program.relations.get(old.path);
  if (!now) return 'was removed';
  if (now.kind !== old.kind) return `is no longer a ${old.kind === 'stored' ? 'stored relation' : old.kind}`;
  const shape = (info: RelationInfo) => info.endpoints.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  if (shape(now) !== shape(old)) return `changed from (${shape(old)}) to (${shape(now)})`;
  return 'lost a member, a concept or a declared individual that its facts mention';
}

/** Individuals that lack a value for what the candidate requires. */
async function missingRequired(
  before: View,
  after: View,
  lost: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Incompatibility[]> {
  const found: Incompatibility[] = [];
  for (const field of after.program.fields.values()) {
    if (field.navigation || field.type.kind === 'optional') continue;
    if (lost.has(field.path) || lost.has(field.concept)) continue;
    if (isRequiredBefore(before, field)) continue;
    const values = after.stored(field.path);
    await values.prepare([0], pacer);
    const missing = filtered(after.stored(field.concept).rows(), ([code]) => {
      const created = (code as number) >= 0;
      return created && firstOf(values.match([code as number, null])) === undefined;
    });
    const facts = (await drive(missing, pacer)).length;
    if (facts > 0 && field.default === undefined) {
      found.push({
        declaration: field.path,
        reason: 'is required and has no default, but individuals exist without it',
        facts,
      });
    }
  }
  return found;
}

function isRequiredBefore(before: View, field: FieldDeclaration): boolean {
  const old = before.program.fields.get(field.path);
  return old !== undefined && !old.navigation && old.type.kind !== 'optional';
}

async function brokenRefinements(candidate: Scope, after: View, pacer: Pacer): Promise<Incompatibility[]> {
  const found: Incompatibility[] = [];
  for (const field of after.program.fields.values()) {
    if (!field.refinement || field.navigation) continue;
    const type = field.type.kind === 'optional' ? field.type.of : field.type;
    const { refinement } = field;
    let text = '';
    const broken = filtered(after.stored(field.path).rows(), (row) => {
      if (candidate.declared.has(factKey(field.path, row))) return false;
      const value = after.interner.decode(type, row[1] as number);
      const needed = brokenRefinement(after.program, refinement, type, value);
      text = needed ?? text;
      return needed !== undefined;
    });
    const facts = (await drive(broken, pacer)).length;
    if (facts > 0) found.push({ declaration: field.path, reason: `now requires ${text}`, facts });
  }
  return found;
}

/** Built-in checks (`[0..1]`, `unique`) that the candidate adds and live facts break. */
async function brokenMultiplicities(before: View, after: View, pacer: Pacer): Promise<Incompatibility[]> {
  const found: Incompatibility[] = [];
  for (const check of after.program.checks.values()) {
    if (!check.builtIn || before.program.checks.has(check.path)) continue;
    const firings = (await after.materialise(after.program.relationOfCheck(check.path), pacer)).size;
    if (firings > 0)
      found.push({
        declaration: check.path,
        reason: 'allows one value at most, which stored facts break',
        facts: firings,
      });
  }
  return found;
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
