/** Finds the aggregates in the source text of a literal. The artifact stores the text of a literal, not of the aggregates in it. */

const BEGIN = /"(?:[^"\\]|\\.)*"|\b(?:count|sum|avg|min|max|list)\(/y;

/** The outermost ones, in their order. */
export function aggregateTexts(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    BEGIN.lastIndex = at;
    const begin = BEGIN.exec(text)?.[0];
    if (begin?.endsWith('(')) {
      const { end, isAggregate } = callFrom(text, at + begin.length);
      if (isAggregate) {
        found.push(text.slice(at, end));
        at = end;
        continue;
      }
    }
    at += begin?.length ?? 1;
  }
  return found;
}

const PART = /"(?:[^"\\]|\\.)*"|[()]|(?<!\.)\bfor\b|[^"]/gy;

/**
 * The end of a call whose arguments begin here; undefined without `for`: a function such as `min(a, b)`, whose arguments can still
 * contain aggregates.
 */
function callFrom(text: string, begin: number): { readonly end: number; readonly isAggregate: boolean } {
  let depth = 1;
  let isAggregate = false;
  PART.lastIndex = begin;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    if (part[0] === '(') depth += 1;
    if (part[0] === ')') depth -= 1;
    if (part[0] === 'for' && depth === 1) isAggregate = true;
    if (depth === 0) return { end: PART.lastIndex, isAggregate };
  }
  return { end: text.length, isAggregate: false };
}
