/** Labels of individuals, so that a list can be read and searched without loading each of them. */

import type { Type } from '../../artifact/types.js';
import { namingOrder, numberedName } from '../../base/naming.js';
import type { Deadline } from '../../base/ports.js';
import { bare, drive, type FieldInfo, mapped, type RelationReader, type View } from '../../engine/index.js';
import { conceptOf } from '../state/individuals.js';

export interface Labels {
  /** The first text field with a value, or undefined if none exists. */
  of(code: number): string | undefined;
  /** The states that the labels are read from, for caching. */
  readonly states: readonly object[];
}

/** Labels of the individuals that values of these types may be. */
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

/** The labels of these individuals, by id. Declared ones without a label are left out, because their path is one. */
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
 * Labels of the individuals that are mentioned, by id, except those that `known` has. The reader of a discarded state cannot look up an id,
 * which another individual may get later.
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

/** Paths of text fields of the types' classes and their subclasses, the best name first. */
function namingFields({ program }: View, types: readonly Type[]): readonly string[] {
  const fields = new Map<string, FieldInfo>();
  for (const type of types) {
    const descendants = classesIn(type).flatMap((path) => program.classes.get(path)?.descendants ?? []);
    for (const path of descendants) {
      for (const field of program.classes.get(path)?.fields ?? []) if (isText(field)) fields.set(field.path, field);
    }
  }
  const all = [...fields.values()];
  const order = namingOrder([...new Set(all.map(({ name }) => name))]);
  return all.sort((left, right) => order.indexOf(left.name) - order.indexOf(right.name)).map(({ path }) => path);
}

function classesIn(type: Type): string[] {
  const plain = bare(type);
  if (plain.kind === 'list') return classesIn(plain.of);
  if (plain.kind === 'record') return plain.fields.flatMap((field) => classesIn(field.type));
  return plain.kind === 'class' ? [plain.path] : [];
}

function isText({ type, navigation }: FieldInfo): boolean {
  const plain = bare(type);
  return !navigation && plain.kind === 'scalar' && plain.name === 'Text';
}
