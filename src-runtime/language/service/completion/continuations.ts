/** The keywords that can follow a complete value, type or head, by the item and the bracket around it. */

import type { Completion } from '../types.js';
import { keywords } from './items.js';
import type { Site } from './site.js';

export function continuations(site: Site): Completion[] {
  const words = wordsAt(site);
  return words === '' ? [] : keywords(words);
}

const OPERATORS = 'and or div mod';

function wordsAt(site: Site): string {
  const { before, open, kind } = site;
  const bracket = open[open.length - 1];
  const inside = new Set(before.slice((bracket?.index ?? -1) + 1).map(({ text }) => text));
  switch (bracket?.role) {
    case 'fields':
      return inside.has('where') ? `${OPERATORS} where unique via` : 'where unique via';
    case 'parameters':
      if (kind !== 'derive' && kind !== 'define' && kind !== 'check') return 'where';
      return inside.has('=') ? OPERATORS : '';
    case 'recordType':
      return '';
    case 'query':
      return inside.has('select') ? selection(inside) : OPERATORS;
    case 'group':
      return inside.has('select') ? selection(inside) : OPERATORS;
    case 'call':
      return inside.has('for') ? `where in ${OPERATORS}` : `for ${OPERATORS}`;
    case 'block':
      return `message then else in from ${OPERATORS}`;
    case undefined:
      return inItem(kind, inside);
    default:
      return `then else ${OPERATORS}`;
  }
}

function selection(inside: ReadonlySet<string>): string {
  if (!inside.has('where')) return `where ${OPERATORS}`;
  return inside.has('order') ? `asc desc limit ${OPERATORS}` : `order limit in then else ${OPERATORS}`;
}

function inItem(kind: string, inside: ReadonlySet<string>): string {
  if (kind === 'concept') return 'is';
  if (kind === 'fn') return `then else ${OPERATORS}`;
  if (kind !== 'derive' && kind !== 'define' && kind !== 'check') return '';
  if (!inside.has('when')) return 'when';
  if (kind !== 'check') return `in then else ${OPERATORS}`;
  return inside.has('severity') ? 'message' : `severity in then else ${OPERATORS}`;
}
