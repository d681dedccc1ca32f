/**
 * The sentence that a module's author has written for a relation: a line of its documentation that has each endpoint in braces, as
 * in `/// {reader} owes {amount} for {copy}.` Undefined where no line has all of them.
 */

import type { RelationInfo } from '../facts/relation-index.js';

type WrittenPart = { readonly text: string } | { readonly position: number };

export function writtenSentence({ doc, endpoints }: RelationInfo): readonly WrittenPart[] | undefined {
  const names = endpoints.map(({ name }) => name);
  for (const line of doc?.split('\n') ?? []) {
    const pieces = line
      .trim()
      .replace(/\.$/, '')
      .split(/\{(\w+)\}/);
    const named = pieces.filter((_, index) => index % 2 === 1);
    if (!named.every((name) => names.includes(name)) || !names.every((name) => named.includes(name))) continue;
    return pieces.flatMap((piece, index): WrittenPart[] => {
      if (index % 2 === 1) return [{ position: names.indexOf(piece) }];
      return piece === '' ? [] : [{ text: piece }];
    });
  }
  return undefined;
}

/** The documentation as people read it: where a sentence has endpoints in braces, their names alone. */
export function docText({ doc, endpoints }: Pick<RelationInfo, 'doc' | 'endpoints'>): string | undefined {
  return doc?.replace(/\{(\w+)\}/g, (whole, named) => (endpoints.some(({ name }) => name === named) ? named : whole));
}
