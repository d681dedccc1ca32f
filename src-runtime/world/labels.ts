/** What individuals are called, so that a list can be read and searched without asking for each of them. */

import type { Type } from '../artifact/types.js';
import { namingOrder } from '../base/naming.js';
import type { Pacer } from '../base/ports.js';
import { bare, type FieldInfo, type RelationReader, type View } from '../engine/index.js';

export interface Labels {
  /** The first text that names it, undefined where none does. */
  of(code: number): string | undefined;
  /** One object a state of what the labels are read from. */
  readonly states: readonly object[];
}

/** Labels of the individuals that may stand at these types. */
export async function labelsOf(view: View, types: readonly Type[], pacer: Pacer): Promise<Labels> {
  const readers: RelationReader[] = [];
  for (const path of namingFields(view, types)) {
    const reader = view.stored(path);
    await reader.prepare([0], pacer);
    readers.push(reader);
  }
  const { interner } = view;
  return {
    states: readers.map(({ state }) => state),
    of(code) {
      for (const reader of readers) {
        for (const row of reader.match([code, null])) {
          const text = interner.decode(reader.info.endpoints[1]?.type as Type, row[1] as number) as string;
          if (text.trim() !== '') return text;
        }
      }
      return undefined;
    },
  };
}

/** Paths of text fields, the best name first, of the types' classes and all below them. */
function namingFields({ program }: View, types: readonly Type[]): readonly string[] {
  const fields = new Map<string, FieldInfo>();
  for (const type of types) {
    const plain = bare(type);
    const info = plain.kind === 'class' ? program.classes.get(plain.path) : undefined;
    for (const path of info?.descendants ?? []) {
      for (const field of program.classes.get(path)?.fields ?? []) if (isText(field)) fields.set(field.path, field);
    }
  }
  const all = [...fields.values()];
  const order = namingOrder([...new Set(all.map(({ name }) => name))]);
  return all.sort((left, right) => order.indexOf(left.name) - order.indexOf(right.name)).map(({ path }) => path);
}

function isText({ type, navigation }: FieldInfo): boolean {
  const plain = bare(type);
  return !navigation && plain.kind === 'scalar' && plain.name === 'Text';
}
