/** The relation, concept or check at the cursor, to open in Explain. */

import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';

const EXPLAINED: ReadonlySet<OutlineItem['kind']> = new Set([
  'derive',
  'define',
  'relation',
  'concept',
  'check',
  'fact',
]);

/** Names of a source file: read once for all of its items. */
export interface Naming {
  /** The module name. Undefined if the first line does not have it. */
  readonly module: string | undefined;
  /** Qualified paths, keyed by the short names that `use other::{owns}` imports. */
  readonly imports: ReadonlyMap<string, string>;
}

export function namingOf(source: string): Naming {
  const imports = new Map<string, string>();
  for (const [, module, names = ''] of source.matchAll(/^\s*use\s+([\w:]+)::\{([^}]*)\}/gm)) {
    for (const name of names.split(',').map((each) => each.trim())) {
      if (!imports.has(name)) imports.set(name, `${module}::${name}`);
    }
  }
  return { module: /^\s*module\s+([\w:]+)/m.exec(source)?.[1], imports };
}

/** The qualified path of an item with facts. */
export function pathOfItem(naming: Naming, { kind, name }: Pick<OutlineItem, 'kind' | 'name'>): string | undefined {
  return EXPLAINED.has(kind) ? qualified(naming, name) : undefined;
}

/** The name at the offset if it has facts, else the item around it. */
export function pathAt(source: string, outline: readonly OutlineItem[], offset: number): string | undefined {
  const naming = namingOf(source);
  const name = nameAt(source, offset);
  const named = outline.find((item) => item.name === name && EXPLAINED.has(item.kind));
  if (named !== undefined) return pathOfItem(naming, named);
  if (name?.includes('::') === true) return name;
  const imported = name === undefined ? undefined : naming.imports.get(name);
  if (imported !== undefined) return imported;
  const enclosing = outline.find(({ span }) => span.start.offset <= offset && offset <= span.end.offset);
  return enclosing === undefined ? undefined : pathOfItem(naming, enclosing);
}

function qualified({ module, imports }: Naming, name: string): string | undefined {
  if (name.includes('::')) return name;
  return imports.get(name) ?? (module === undefined ? undefined : `${module}::${name}`);
}

function nameAt(source: string, offset: number): string | undefined {
  const before = /[\w:]*$/.exec(source.slice(0, offset))?.[0] ?? '';
  const after = /^[\w:]*/.exec(source.slice(offset))?.[0] ?? '';
  const name = (before + after).replace(/^:+|:+$/g, '');
  return name === '' ? undefined : name;
}
