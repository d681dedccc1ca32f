/** What a picker of individuals offers: each by its name and an id, as short as tells it from the others. */

import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { hasVariables } from '../../model/calls/variables.js';
import { entityLabel, looksLikeReference, markOf, shortId } from '../../model/facts/labels.js';
import { namesakes } from '../../model/facts/namesakes.js';

export interface PickerOption {
  readonly id: string;
  readonly label: string;
  /** `@ada`, or where several modules declare one of that name the whole id. */
  readonly shownId: string;
  /** What tells it from others of its name, where its id is not all that does. */
  readonly mark?: string;
}

export interface PickerOptions {
  readonly texts: readonly string[];
  readonly byText: ReadonlyMap<string, PickerOption>;
  /** By id, in any form that means only one of them. */
  readonly textOf: ReadonlyMap<string, string>;
  /** Ids by what only one of them is called. */
  readonly idOf: ReadonlyMap<string, string>;
}

export function pickerOptions(entities: readonly Entity[]): PickerOptions {
  const known = new Map(entities.map((entity) => [entity.$id, entity]));
  const uses = new Map<string, number>();
  for (const id of known.keys()) uses.set(shortId(id), (uses.get(shortId(id)) ?? 0) + 1);
  const alike = namesakes([...known].map(([id, entity]) => [id, entityLabel(entity)]));
  const byText = new Map<string, PickerOption>();
  const idOf = new Map<string, string>();
  const textOf = new Map<string, string>();
  for (const [id, entity] of known) {
    const shownId = uses.get(shortId(id)) === 1 ? shortId(id) : id;
    const label = entityLabel(entity);
    // The id makes it unique: two people may share a name.
    const text = label === id ? label : `${label}  ${shownId}`;
    const mark = alike.has(id) ? markOf(entity) : undefined;
    byText.set(text, { id, label, shownId, ...(mark !== undefined && mark !== shortId(id) && { mark }) });
    if (!alike.has(id)) idOf.set(label, id);
    textOf.set(id, text);
    textOf.set(shownId, text);
  }
  return { texts: [...byText.keys()], byText, textOf, idOf };
}

/** Before anything is typed all are offered, so many at most, and what is chosen among them wherever it stands: a name that is there is no search. */
export function offeredUntyped(texts: readonly string[], selected: string, limit: number): readonly string[] {
  const first = texts.slice(0, limit);
  return first.includes(selected) || !texts.includes(selected) ? first : [selected, ...first.slice(0, limit - 1)];
}

/** The id that Enter takes: an exact match, else the first one that the list shows. An id that was typed means no other. */
export function matchOf(options: PickerOptions, typed: string): string | undefined {
  const text = typed.trim();
  const { byText, idOf, textOf } = options;
  const exact = idOf.get(text) ?? byText.get(textOf.get(text) ?? textOf.get(`@${text}`) ?? text)?.id;
  if (exact !== undefined || !isName(text)) return exact;
  const found = foundIn(options, text);
  const called = found.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  return (called ?? found[0])?.id;
}

/** What is wrong with what was typed, of the class of this name, where it means nobody or might mean several. */
export function unclear(options: PickerOptions, typed: string, className: string): string | undefined {
  const text = typed.trim();
  if (!isName(text)) return undefined;
  // The server knows a declared individual without its mark, too.
  if (options.byText.has(text) || options.idOf.has(text) || options.textOf.has(`@${text}`)) return undefined;
  const found = foundIn(options, text).length;
  if (found === 0) return `No ${className} named "${text}".`;
  return found === 1
    ? `"${text}" matches 1 name. Select it in the list.`
    : `"${text}" matches ${found} names. Select one in the list.`;
}

/** What is wrong with what was typed where it is found in more than are read: who is meant may be none of these. */
export function foundInMany(typed: string): string {
  return `"${typed.trim()}" has more matches than listed. Type more, or select one in the list.`;
}

/** Means somebody by what he is called. */
export function isName(typed: string): boolean {
  const text = typed.trim();
  return text !== '' && !looksLikeReference(text) && !hasVariables(text);
}

function foundIn({ byText }: PickerOptions, typed: string): readonly PickerOption[] {
  const part = typed.trim().toLowerCase();
  if (part === '') return [];
  return [...byText].flatMap(([text, option]) => (text.toLowerCase().includes(part) ? [option] : []));
}
