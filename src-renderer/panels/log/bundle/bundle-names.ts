/** Labels of individuals in a repro bundle, from its module and history. */

import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { namingOrder, numberedName } from '../../../../src-runtime/base/naming.js';

/** The parts of an artifact that are read; only the hash of a bundle's artifact is verified. */
interface NamingArtifact {
  readonly schema?: { readonly concepts?: readonly { readonly fields: readonly NamingField[] }[] };
  readonly individuals?: readonly {
    readonly path: string;
    readonly fields: readonly { readonly field: string; readonly value: unknown }[];
  }[];
}

interface NamingField {
  readonly name: string;
  readonly path: string;
  readonly type: { readonly kind: string; readonly name?: string; readonly of?: NamingField['type'] };
}

/** By reference. */
export function namesInBundle(bundle: Pick<ReproBundle, 'artifact' | 'scope' | 'proof'>): ReadonlyMap<string, string> {
  const artifact = bundle.artifact as NamingArtifact;
  const textFields = new Map(
    (artifact.schema?.concepts ?? [])
      .flatMap(({ fields }) => fields)
      .filter(({ type }) => isText(type))
      .map(({ path, name }) => [path, name]),
  );
  const texts = new Map<string, Map<string, string>>();
  const concepts = new Map<string, string>();
  const note = (id: string, field: string, value: unknown): void => {
    const name = textFields.get(field);
    if (name === undefined) return;
    const known = texts.get(id) ?? new Map<string, string>();
    texts.set(id, known);
    if (typeof value === 'string' && value.trim() !== '') known.set(name, value);
    else known.delete(name);
  };
  for (const { path, fields } of artifact.individuals ?? []) {
    for (const { field, value } of fields) note(`@${path}`, field, value);
  }
  for (const { kind, id, field, value, concept } of bundle.scope.events) {
    if (id === undefined) continue;
    if (kind === 'insertIndividual' && concept !== undefined) concepts.set(id, concept);
    if (kind === 'setField' && field !== undefined) note(id, field, value);
  }
  const numbered = [...concepts].map(([id, concept]) => [id, numberedName(concept, id) ?? id] as const);
  const named = [...texts].flatMap(([id, known]) => {
    const [first] = namingOrder([...known.keys()]);
    return first === undefined ? [] : [[id, known.get(first) ?? id] as const];
  });
  return new Map([...numbered, ...named, ...Object.entries(bundle.proof?.names ?? {})]);
}

function isText({ kind, name, of }: NamingField['type']): boolean {
  if (kind === 'optional') return of !== undefined && isText(of);
  return kind === 'scalar' && name === 'Text';
}
