/** What the Explain panel can show of what is under the cursor: the relation, class or check that is named there. */

import type { OutlineItem } from '../../src-runtime/language/service/index.js';

const EXPLAINED: ReadonlySet<OutlineItem['kind']> = new Set([
  'derive',
  'define',
  'relation',
  'concept',
  'check',
  'fact',
]);

/** The qualified path of an item whose facts can be explained. */
export function pathOfItem(source: string, { kind, name }: OutlineItem): string | undefined {
  return EXPLAINED.has(kind) ? qualified(source, name) : undefined;
}

/** Of the name at the offset where it is such a one, else of the item around it. */
export function pathAt(source: string, outline: readonly OutlineItem[], offset: number): string | undefined {
  const name = nameAt(source, offset);
  const named = outline.find((item) => item.name === name && EXPLAINED.has(item.kind));
  if (named !== undefined) return pathOfItem(source, named);
  if (name?.includes('::') === true) return name;
  const imported = name === undefined ? undefined : importOf(source, name);
  if (imported !== undefined) return imported;
  const around = outline.find(({ span }) => span.start.offset <= offset && offset <= span.end.offset);
  return around === undefined ? undefined : pathOfItem(source, around);
}

function qualified(source: string, name: string): string | undefined {
  if (name.includes('::')) return name;
  const module = /^\s*module\s+([\w:]+)/m.exec(source)?.[1];
  return importOf(source, name) ?? (module === undefined ? undefined : `${module}::${name}`);
}

/** `use other::{owns}` makes `owns` the name of `other::owns`. */
function importOf(source: string, name: string): string | undefined {
  for (const [, module, names = ''] of source.matchAll(/^\s*use\s+([\w:]+)::\{([^}]*)\}/gm)) {
    if (names.split(',').some((each) => each.trim() === name)) return `${module}::${name}`;
  }
  return undefined;
}

function nameAt(source: string, offset: number): string | undefined {
  const before = /[\w:]*$/.exec(source.slice(0, offset))?.[0] ?? '';
  const after = /^[\w:]*/.exec(source.slice(offset))?.[0] ?? '';
  const name = (before + after).replace(/^:+|:+$/g, '');
  return name === '' ? undefined : name;
}
