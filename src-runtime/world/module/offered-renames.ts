/**
 * Suggests renames for stored declarations that a candidate lacks: new declarations that may replace them, the likeliest first. The user
 * confirms them.
 */

import type { Rename } from '../../api/schemas/module-schemas.js';
import type { Type } from '../../artifact/types.js';
import { similarity } from '../../base/nearest.js';
import type { Program, RelationInfo } from '../../engine/index.js';
import { hasOtherTypes, type Incompatibility } from './compatibility.js';
import { type RenamedKind, type Renames, renameable, resolveRenames } from './renames.js';

export interface OfferedRename {
  readonly from: string;
  readonly kind: RenamedKind;
  /** Never empty. */
  readonly to: readonly string[];
}

/** In addition to the given renames. A member of a suggested declaration, or one with it at an endpoint, follows the likeliest suggestion. */
export function offeredRenames(
  before: Program,
  after: Program,
  given: readonly Rename[],
  incompatibilities: readonly Incompatibility[],
): OfferedRename[] {
  const misfits = new Set(incompatibilities.map(({ declaration }) => declaration));
  const used = usedBy(before, misfits);
  const offered: OfferedRename[] = [];
  for (;;) {
    const renames = resolveRenames(before, after, [...given, ...likeliest(offered)]);
    const known = new Set(offered.map(({ from }) => from));
    const more = offeredBeside(before, after, renames, used).filter(({ from }) => !known.has(from));
    if (more.length === 0) return offered;
    offered.push(...more);
  }
}

/** At most one rename for each target, because two declarations cannot share a name. */
function likeliest(offered: readonly OfferedRename[]): Rename[] {
  const taken = new Set<string>();
  const renames: Rename[] = [];
  for (const { from, to: candidates } of offered) {
    const to = candidates.find((path) => !taken.has(path));
    if (to === undefined) continue;
    taken.add(to);
    renames.push({ from, to });
  }
  return renames;
}

function offeredBeside(before: Program, after: Program, renames: Renames, used: ReadonlySet<string>): OfferedRename[] {
  const old = renameable(before);
  const now = renameable(after);
  const offered: OfferedRename[] = [];
  for (const [from, kind] of old) {
    // A member of a missing declaration follows it.
    if (now.has(renames.nameOf(from)) || !used.has(from) || isPartOfGone(from, old, now, renames)) continue;
    const to = [...now]
      .filter(([path, other]) => other === kind && isNew(path, old, renames))
      .map(([path]) => path)
      .filter((path) => isAlike(kind, from, path, before, after, renames))
      .sort((left, right) => likeness(from, right, before, after) - likeness(from, left, before, after));
    if (to.length > 0) offered.push({ from, kind, to });
  }
  return offered;
}

/** Not declared before, under this name or another. */
function isNew(path: string, old: ReadonlyMap<string, RenamedKind>, { formerNameOf }: Renames): boolean {
  const former = formerNameOf(path);
  return former === undefined || !old.has(former);
}

function isPartOfGone(
  path: string,
  old: ReadonlyMap<string, RenamedKind>,
  now: ReadonlyMap<string, RenamedKind>,
  { nameOf }: Renames,
): boolean {
  for (const [other] of old) {
    const isPart = path.startsWith(`${other}.`) || path.startsWith(`${other}::`);
    if (isPart && !now.has(nameOf(other))) return true;
  }
  return false;
}

/** What the misfits are, belong to, or have at an endpoint. */
function usedBy({ relations, enums, individuals }: Program, misfits: ReadonlySet<string>): ReadonlySet<string> {
  const used = new Set<string>();
  for (const path of misfits) {
    used.add(path);
    used.add(path.slice(0, Math.max(path.indexOf('::'), 0)));
    for (const { type } of relations.get(path)?.endpoints ?? []) {
      for (const part of namedTypesIn(type)) {
        used.add(part.path);
        for (const { name } of enums.get(part.path)?.members ?? []) used.add(`${part.path}.${name}`);
        if (part.kind === 'class') for (const each of individuals.keys()) used.add(each);
      }
    }
  }
  return used;
}

function* namedTypesIn(type: Type): Generator<Type & { readonly path: string }> {
  if (type.kind === 'optional' || type.kind === 'list') yield* namedTypesIn(type.of);
  else if (type.kind === 'record') for (const field of type.fields) yield* namedTypesIn(field.type);
  else if ('path' in type) yield type;
}

/** Whether facts of one fit the other unchanged. */
function isAlike(
  kind: RenamedKind,
  from: string,
  to: string,
  before: Program,
  after: Program,
  renames: Renames,
): boolean {
  switch (kind) {
    case 'field':
    case 'relation':
      return !hasOtherTypes(before.relations.get(from) as RelationInfo, after.relations.get(to), renames);
    case 'member':
      return ownerOf(to) === renames.nameOf(ownerOf(from));
    case 'individual':
      return after.individuals.get(to)?.concept === renames.nameOf(before.individuals.get(from)?.concept ?? '');
    case 'module':
    case 'enum':
    case 'concept':
      return true;
  }
}

/** Common parts of the name count first, then common letters. */
function likeness(from: string, to: string, before: Program, after: Program): number {
  const parts = partsOf(from, before);
  const others = new Set(partsOf(to, after));
  const shared = parts.filter((part) => others.has(part)).length;
  return (
    (parts.length === 0 ? 0 : shared / Math.max(parts.length, others.size)) +
    similarity(localName(from), localName(to)) / 2
  );
}

/** The names of its members, and other traits that it may share. */
function partsOf(path: string, { concepts, enums, fields, artifact, relations }: Program): readonly string[] {
  const concept = concepts.get(path);
  if (concept !== undefined) return concept.fields.map(({ name }) => name);
  const members = enums.get(path)?.members;
  if (members !== undefined) return members.map(({ name }) => name);
  const field = fields.get(path);
  if (field !== undefined) return [field.type.kind, field.refinement === undefined ? 'any' : 'refined'];
  if (!artifact.modules.some(({ name }) => name === path))
    return relations.get(path)?.endpoints.map(({ name }) => name) ?? [];
  return [...relations.keys()]
    .filter((each) => each.startsWith(`${path}::`))
    .map((each) => each.slice(path.length + 2));
}

function ownerOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

function localName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.') + 1, path.lastIndexOf('::') + 2, 0));
}
