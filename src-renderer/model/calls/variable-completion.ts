/** Completing the name of a variable while it is typed between braces: what is being typed, what fits it, and what is put in its place. */

import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { sortedByName } from '../text/natural-order.js';
import type { MadeVariable } from './made-variables.js';
import { type Variables, variableValue } from './variables.js';

/** A reference that has been begun and not closed before the cursor. */
export interface BegunReference {
  /** The name as far as it is typed before the cursor. */
  readonly typed: string;
  /** Where its braces begin. */
  readonly from: number;
  readonly cursor: number;
  /** The end of what it replaces: the rest of an old reference goes with it. */
  readonly to: number;
}

/** Undefined where no name is being typed at the cursor, or the braces are plain text. */
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
  /** Of no environment: it is made as the call is sent. */
  | ({ readonly kind: 'made' } & MadeVariable)
  /** There is none of this name yet. */
  | { readonly kind: 'define'; readonly name: string };

const SHOWN_MAX = 50;

/**
 * Those whose names begin with what is typed, then those that have it elsewhere, and what is `made` that fits it; last what would be a
 * new one.
 */
export function completionsOf(
  typed: string,
  variables: Variables,
  made: readonly MadeVariable[] = [],
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
 * What is put in, up to the end of the reference: no more than is missing, so that undoing it leaves the braces. In JSON a reference is
 * part of a text: outside of one it brings the quotes along.
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

/** Whether the end of some JSON is inside of a text. */
function isInText(json: string): boolean {
  return json.replaceAll(/\\./g, '').split('"').length % 2 === 0;
}
