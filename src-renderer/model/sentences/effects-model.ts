/** The effects of a mutation as a reader looks for them: what came and went as a whole, fields from value to value. */

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
  /** Of a changed field: the value that it had, where that is known. `tuple` has the new one. */
  readonly before?: JsonValue;
  /** Of an individual that came or went: its fields by name. */
  readonly fields?: readonly (readonly [string, JsonValue])[];
}

export interface EffectGroups {
  /** What the mutation itself wrote. */
  readonly stored: readonly EffectItem[];
  /** What follows from it. */
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
 * What a mutation wrote, by its events: an individual that came is one item with the fields that it was given. Counted so, a dry run
 * and a run of the same call come to the same. `told` are the stored effects where they are known, which tell more of an item: the
 * value that a field had, the fields of an individual that went.
 */
export function writtenItems(events: readonly WireEvent[], told: readonly EffectItem[] = []): readonly EffectItem[] {
  const known = new Map(told.map((item) => [placeOf(item), item]));
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

/** What an item is about: of an individual and of a changed field, whatever the values are. */
function placeOf({ change, relation, tuple, fields }: EffectItem): string {
  const about = change === 'changed' || fields !== undefined ? tuple[0] : tuple;
  return `${change} ${relation} ${JSON.stringify(about)}`;
}

/** What individuals that came or went are called, by id: nobody else knows them yet, or any more. */
export function namesOfEffects(schema: ServedSchema, { facts }: Pick<Effects, 'facts'>): ReadonlyMap<string, string> {
  const fields = new Map<string, Record<string, JsonValue>>();
  // What went is told before what came, which names them from then on.
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

/** The same of each step of a batch: what a step brought is known to those after it, as it is called then. */
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

/** An individual that came or went is one item with its fields; a field with another value is one item with both. */
function storedItems(schema: ServedSchema, facts: readonly EffectFact[]): EffectItem[] {
  const concepts = conceptsOf(schema);
  const isField = ({ relation }: EffectFact) =>
    schema.concepts.some(({ fields }) => fields.some(({ path }) => path === relation));
  const whole = individualsIn(concepts, facts);
  const others = facts.filter((fact) => !concepts.has(fact.relation) && !(isField(fact) && whole.has(keyOf(fact))));
  const removedFields = new Map(
    others.filter((fact) => fact.change === 'removed' && isField(fact)).map((fact) => [fieldKey(fact), fact]),
  );
  const items: EffectItem[] = [...whole.values()].map((fact) => ({
    ...plainItem(fact),
    fields: facts
      .filter((field) => isField(field) && keyOf(field) === keyOf(fact))
      .map(({ relation, tuple }) => [fieldName(relation), tuple[1] ?? null]),
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

/** That an individual came or went, by its key. It is of its concept and of all above it; the lowest says the most. */
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
