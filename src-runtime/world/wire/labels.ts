/** What individuals are called, so that a list can be read and searched without asking for each of them. */

import type { Type } from '../../artifact/types.js';
import { namingOrder, numberedName } from '../../base/naming.js';
import type { Deadline } from '../../base/ports.js';
import { bare, drive, type FieldInfo, mapped, type RelationReader, type View } from '../../engine/index.js';
import { conceptOf } from '../state/individuals.js';

export interface Labels {
  /** The first text that names it, undefined where none does. */
  of(code: number): string | undefined;
  /** One object a state of what the labels are read from. */
  readonly states: readonly object[];
}

/** Labels of the individuals that may stand at these types. */
export async function labelsOf(view: View, types: readonly Type[], deadline: Deadline): Promise<Labels> {
  const readers: RelationReader[] = [];
  for (const path of namingFields(view, types)) {
    const reader = view.stored(path);
    await reader.prepare([0], deadline);
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

/** What these individuals are called, by id; left out are declared ones that no text names, whose paths do. */
export async function labelsById(
  view: View,
  types: readonly Type[],
  codes: Iterable<number>,
  deadline: Deadline,
): Promise<Record<string, string>> {
  const labels = await labelsOf(view, types, deadline);
  const named = mapped(new Set(codes), (code) => {
    const id = view.interner.decodeIndividual(code);
    return [id, labels.of(code) ?? numberedName(conceptOf(view, code) ?? '', id)] as const;
  });
  const known = (await drive(named, deadline)).filter(
    (pair): pair is readonly [string, string] => pair[1] !== undefined,
  );
  return Object.fromEntries(known);
}

/**
 * What the individuals are called that are told of, by id, but for those that `known` has too: an id alone says nothing to who
 * reads of a state that is gone, where another one may have it later.
 */
export async function namesIn(
  mentioned: unknown,
  view: View,
  deadline: Deadline,
  known?: View,
): Promise<Record<string, string>> {
  const { program, interner } = view;
  const ids = new Set(JSON.stringify(mentioned).match(/#i\d+/g));
  const codes = [...ids]
    .map((id) => interner.encodeIndividual(id))
    .filter((code) => conceptOf(view, code) !== undefined)
    .filter((code) => known === undefined || conceptOf(known, code) === undefined);
  if (codes.length === 0) return {};
  const types = program.artifact.schema.concepts.map(({ path }) => ({ kind: 'class', path }) as const);
  return labelsById(view, types, codes, deadline);
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
