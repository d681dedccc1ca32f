/** The effects of a mutation for display: created and deleted individuals as one item, fields with old and new value. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { EffectFact, Effects, JsonValue, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { entityLabel, labelOfFields } from '../facts/labels.js';
import { fieldName } from '../facts/locations.js';

export interface EffectItem {
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: 'stored' | 'derived';
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  /** For a changed field: its old value, if known. `tuple` has the new one. */
  readonly before?: JsonValue;
  /** For a created or deleted individual: its fields by name. */
  readonly fields?: readonly (readonly [string, JsonValue])[];
}

export interface EffectGroups {
  /** What the mutation wrote. */
  readonly stored: readonly EffectItem[];
  /** What is derived from it. */
  readonly derived: readonly EffectItem[];
}

export function effectGroups(schema: ServedSchema, { facts }: Pick<Effects, 'facts'>): EffectGroups {
  const derived = facts.filter(({ kind }) => kind === 'derived').map(plainItem);
  return {
    stored: storedItems(
      schema,
      facts.filter(({ kind }) => kind === 'stored'),
    ),
    derived,
  };
}

/**
 * What a mutation wrote, from its events. A created individual is one item with its fields, so a dry run and a run have the same
 * number of items. `effects` are the stored effects if known. They add the old value of a field and the fields of a deleted individual.
 */
export function writtenItems(events: readonly WireEvent[], effects: readonly EffectItem[] = []): readonly EffectItem[] {
  const known = new Map(effects.map((item) => [placeOf(item), item]));
  const items = new Map<string, EffectItem>();
  const made = new Map<string, string>();
  for (const event of events) {
    const item = writtenItem(event);
    const maker = event.kind === 'setField' ? made.get(event.id ?? '') : undefined;
    const individual = maker === undefined ? undefined : items.get(maker);
    if (maker === undefined || individual === undefined) {
      items.set(placeOf(item), item);
      if (event.kind === 'insertIndividual') made.set(event.id ?? '', placeOf(item));
      continue;
    }
    const field = fieldName(item.relation);
    const others = individual.fields?.filter(([name]) => name !== field) ?? [];
    items.set(maker, { ...individual, fields: [...others, [field, item.tuple[1] ?? null]] });
  }
  return [...items].map(([place, item]) => known.get(place) ?? item);
}

function writtenItem({ kind, id = '', concept = '', field = '', value = null, relation = '', tuple = [] }: WireEvent) {
  const stored = (item: Omit<EffectItem, 'kind'>): EffectItem => ({ kind: 'stored', ...item });
  if (kind === 'setField') return stored({ change: 'changed', relation: field, tuple: [id, value] });
  if (kind === 'insertFact' || kind === 'deleteFact')
    return stored({ change: kind === 'insertFact' ? 'added' : 'removed', relation, tuple });
  return stored({
    change: kind === 'insertIndividual' ? 'added' : 'removed',
    relation: concept,
    tuple: [id],
    fields: [],
  });
}

/** The subject of an item: for an individual or a changed field, without the values. */
function placeOf({ change, relation, tuple, fields }: EffectItem): string {
  const about = change === 'changed' || fields !== undefined ? tuple[0] : tuple;
  return `${change} ${relation} ${JSON.stringify(about)}`;
}

/** Labels by id of created and deleted individuals, which cannot be looked up. */
export function namesOfEffects(schema: ServedSchema, { facts }: Pick<Effects, 'facts'>): ReadonlyMap<string, string> {
  const fields = new Map<string, Record<string, JsonValue>>();
  // Deletions come first; creations then override their labels.
  for (const { relation, tuple } of facts) {
    const [id, value] = tuple;
    if (!relation.includes('.') || typeof id !== 'string' || value === undefined) continue;
    const known = fields.get(id) ?? bareRecord<JsonValue>();
    known[fieldName(relation)] = value;
    fields.set(id, known);
  }
  const names = new Map<string, string>();
  for (const [id, values] of fields) {
    const label = labelOfFields(values);
    if (label !== undefined) names.set(id, label);
  }
  for (const { relation, tuple } of individualsIn(conceptsOf(schema), facts).values()) {
    const id = String(tuple[0]);
    if (names.has(id)) continue;
    names.set(id, entityLabel({ ...fields.get(id), $id: id, $meta: { type: relation, classes: [] } }));
  }
  return names;
}

/** The same for each step of a batch: individuals created by a step are known to later steps by their current label. */
export function namesOfSteps(
  schema: ServedSchema,
  steps: readonly { readonly effects?: Pick<Effects, 'facts'> | undefined }[],
): readonly ReadonlyMap<string, string>[] {
  let known: ReadonlyMap<string, string> = new Map();
  return steps.map(({ effects }) => {
    if (effects !== undefined) known = new Map([...known, ...namesOfEffects(schema, effects)]);
    return known;
  });
}

/** A created or deleted individual is one item with its fields; a changed field is one item with both values. */
function storedItems(schema: ServedSchema, facts: readonly EffectFact[]): EffectItem[] {
  const concepts = conceptsOf(schema);
  const fieldPaths = new Set(schema.concepts.flatMap(({ fields }) => fields.map(({ path }) => path)));
  const isField = ({ relation }: EffectFact) => fieldPaths.has(relation);
  const fieldsOf = new Map<string, (readonly [string, JsonValue])[]>();
  for (const fact of facts.filter(isField)) {
    const known = fieldsOf.get(keyOf(fact)) ?? [];
    known.push([fieldName(fact.relation), fact.tuple[1] ?? null]);
    fieldsOf.set(keyOf(fact), known);
  }
  const whole = individualsIn(concepts, facts);
  const others = facts.filter((fact) => !concepts.has(fact.relation) && !(isField(fact) && whole.has(keyOf(fact))));
  const removedFields = new Map(
    others.filter((fact) => fact.change === 'removed' && isField(fact)).map((fact) => [fieldKey(fact), fact]),
  );
  const items: EffectItem[] = [...whole.values()].map((fact) => ({
    ...plainItem(fact),
    fields: fieldsOf.get(keyOf(fact)) ?? [],
  }));
  const replaced = new Set<EffectFact>();
  for (const fact of others) {
    const before = fact.change === 'added' && isField(fact) ? removedFields.get(fieldKey(fact)) : undefined;
    if (before === undefined) continue;
    replaced.add(before).add(fact);
    items.push({ ...plainItem(fact), change: 'changed', before: before.tuple[1] ?? null });
  }
  return [...items, ...others.filter((fact) => !replaced.has(fact)).map(plainItem)];
}

type Concepts = ReadonlyMap<string, { readonly parent: string | null }>;

function conceptsOf(schema: ServedSchema): Concepts {
  return new Map(schema.concepts.map((concept) => [concept.path, concept]));
}

/** The creation or deletion of an individual, by key. It is in its concept and all parents; the most specific one is kept. */
function individualsIn(concepts: Concepts, facts: readonly EffectFact[]): ReadonlyMap<string, EffectFact> {
  const whole = new Map<string, EffectFact>();
  for (const fact of facts) {
    if (!concepts.has(fact.relation)) continue;
    const key = keyOf(fact);
    const known = whole.get(key);
    if (known === undefined || isBelow(concepts, fact.relation, known.relation)) whole.set(key, fact);
  }
  return whole;
}

function plainItem({ change, kind, relation, tuple }: EffectFact): EffectItem {
  return { change, kind, relation, tuple };
}

function keyOf({ change, tuple }: EffectFact): string {
  return `${change} ${String(tuple[0])}`;
}

function fieldKey({ relation, tuple }: EffectFact): string {
  return `${relation} ${String(tuple[0])}`;
}

function isBelow(concepts: Concepts, path: string, above: string): boolean {
  for (let at = concepts.get(path)?.parent ?? null; at !== null; at = concepts.get(at)?.parent ?? null) {
    if (at === above) return true;
  }
  return false;
}
