/** Finds the aggregates in a line of source, as the module spells them: the artifact keeps the text of a literal as a whole. */

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
 * Where a call ends whose arguments begin here. What has no `for` is a function of an aggregate's name, which may have an
 * aggregate among its arguments.
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
