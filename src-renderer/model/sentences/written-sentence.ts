/**
 * The sentence in the documentation of a relation: a line that contains each endpoint in braces, such as `/// {reader} owes
 * {amount} for {copy}.` Undefined if no line contains all of them.
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

/** The documentation for display: endpoints in braces are replaced with their names. */
export function docText({ doc, endpoints }: Pick<RelationInfo, 'doc' | 'endpoints'>): string | undefined {
  return doc?.replace(/\{(\w+)\}/g, (whole, named) => (endpoints.some(({ name }) => name === named) ? named : whole));
}
