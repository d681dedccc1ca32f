/** The options of an individual picker: label and the shortest unambiguous id. */

import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { hasVariables } from '../../model/calls/variables.js';
import { entityLabel, looksLikeReference, markOf, shortId } from '../../model/facts/labels.js';
import { namesakes } from '../../model/facts/namesakes.js';

export interface PickerOption {
  readonly id: string;
  readonly label: string;
  /** `@ada`, or the full id if several modules declare that name. */
  readonly shownId: string;
  /** Distinguishes individuals with the same label, where the id alone does not. */
  readonly mark?: string;
}

export interface PickerOptions {
  readonly texts: readonly string[];
  readonly byText: ReadonlyMap<string, PickerOption>;
  /** Option text by any unambiguous form of an id. */
  readonly textOf: ReadonlyMap<string, string>;
  /** Ids by unique label. */
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
    // The id makes the text unique, since labels may repeat.
    const text = label === id ? label : `${label}  ${shownId}`;
    const mark = alike.has(id) ? markOf(entity) : undefined;
    byText.set(text, { id, label, shownId, ...(mark !== undefined && mark !== shortId(id) && { mark }) });
    if (!alike.has(id)) idOf.set(label, id);
    textOf.set(id, text);
    textOf.set(shownId, text);
  }
  return { texts: [...byText.keys()], byText, textOf, idOf };
}

/** Without a search, offers the first options and always the selected one. */
export function offeredUntyped(texts: readonly string[], selected: string, limit: number): readonly string[] {
  const first = texts.slice(0, limit);
  return first.includes(selected) || !texts.includes(selected) ? first : [selected, ...first.slice(0, limit - 1)];
}

/** The id that Enter takes: an exact match, else the first option listed. A typed id matches only itself. */
export function matchOf(options: PickerOptions, typed: string): string | undefined {
  const text = typed.trim();
  const { byText, idOf, textOf } = options;
  const exact = idOf.get(text) ?? byText.get(textOf.get(text) ?? textOf.get(`@${text}`) ?? text)?.id;
  if (exact !== undefined || !isName(text)) return exact;
  const found = foundIn(options, text);
  const called = found.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  return (called ?? found[0])?.id;
}

/** Why the text matches no individual of the class, or several. */
export function unclear(options: PickerOptions, typed: string, className: string): string | undefined {
  const text = typed.trim();
  if (!isName(text)) return undefined;
  // The server accepts the name of a declared individual without `@`, too.
  if (options.byText.has(text) || options.idOf.has(text) || options.textOf.has(`@${text}`)) return undefined;
  const found = foundIn(options, text).length;
  if (found === 0) return `No ${className} named "${text}".`;
  return found === 1
    ? `"${text}" matches 1 name. Select it in the list.`
    : `"${text}" matches ${found} names. Select one in the list.`;
}

/** The text has more matches than were read, so the individual may not be listed. */
export function foundInMany(typed: string): string {
  return `"${typed.trim()}" has more matches than listed. Type more, or select one in the list.`;
}

/** Whether the text is a label rather than an id or a variable. */
export function isName(typed: string): boolean {
  const text = typed.trim();
  return text !== '' && !looksLikeReference(text) && !hasVariables(text);
}

function foundIn({ byText }: PickerOptions, typed: string): readonly PickerOption[] {
  const part = typed.trim().toLowerCase();
  if (part === '') return [];
  return [...byText].flatMap(([text, option]) => (text.toLowerCase().includes(part) ? [option] : []));
}
