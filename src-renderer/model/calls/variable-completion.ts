/** Completes variable names between braces: the typed prefix, its matches, and the replacement. */

import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { sortedByName } from '../text/natural-order.js';
import type { GeneratedVariable } from './generated-variables.js';
import { type Variables, variableValue } from './variables.js';

/** A reference that is open at the cursor. */
export interface BegunReference {
  /** The typed prefix of the name. */
  readonly typed: string;
  /** The position of its opening braces. */
  readonly from: number;
  readonly cursor: number;
  /** The end of the replaced range, which includes the rest of an old reference. */
  readonly to: number;
}

/** Undefined if no name is being typed at the cursor, or the braces are escaped. */
export function begunReference(text: string, cursor: number): BegunReference | undefined {
  const before = /(\\*)\{\{[^\S\n]*([^\s{}]*)$/.exec(text.slice(0, cursor));
  if (before === null) return undefined;
  const [, slashes = '', typed = ''] = before;
  if (slashes.length % 2 === 1) return undefined;
  const [rest = ''] = /^[^\s{}]*[^\S\n]*\}\}/.exec(text.slice(cursor)) ?? [];
  return { typed, from: before.index + slashes.length, cursor, to: cursor + rest.length };
}

export type Completion =
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  /** A generated variable. */
  | ({ readonly kind: 'made' } & GeneratedVariable)
  /** A new variable with this name. */
  | { readonly kind: 'define'; readonly name: string };

const SHOWN_MAX = 50;

/** Names that start with the prefix, then names that contain it, then generated ones, and last a new variable. */
export function completionsOf(
  typed: string,
  variables: Variables,
  made: readonly GeneratedVariable[] = [],
): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const placeOf = (name: string): number => name.toLowerCase().indexOf(wanted);
  const found = sortedByName(
    Object.keys(variables).filter((name) => placeOf(name) >= 0),
    (name) => name,
  ).toSorted((a, b) => Number(placeOf(a) > 0) - Number(placeOf(b) > 0));
  const known = found
    .slice(0, SHOWN_MAX)
    .map((name): Completion => ({ kind: 'variable', name, value: variableValue(name, variables) ?? '' }));
  const isNew = VARIABLE_NAME.test(typed) && variableValue(typed, variables) === undefined;
  const offered = [...known, ...made.map((each): Completion => ({ kind: 'made', ...each }))];
  return isNew ? [...offered, { kind: 'define', name: typed }] : offered;
}

/**
 * The inserted text, up to the end of the reference: only what is missing, so that undo keeps the braces. In JSON a reference
 * must be in a string, so quotes are added outside of one.
 */
export function completedText(
  text: string,
  { typed, from, cursor }: BegunReference,
  name: string,
  isJson: boolean,
): { readonly from: number; readonly text: string } {
  if (isJson && !isInText(text.slice(0, from))) return { from, text: `"{{${name}}}"` };
  return { from: cursor - typed.length, text: `${name}}}` };
}

/** Whether the end of a JSON prefix is in a string. */
function isInText(json: string): boolean {
  return json.replaceAll(/\\./g, '').split('"').length % 2 === 0;
}
