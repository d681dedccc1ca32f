/** Which mutation an import into a list uses: the best match first, with the reason. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { guessMapping } from '../../../../src-runtime/api/tables/import-rows.js';
import { shortName } from '../../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../../model/facts/relation-index.js';

type Mutation = ServedSchema['mutations'][number];

/** A mutation that writes the list. */
export interface Writer {
  readonly mutation: Mutation;
  /** The columns of the list that are parameters of it. */
  readonly columns: readonly string[];
}

/** The mutations that accept rows from callers. */
export function importable(mutations: readonly Mutation[]): Mutation[] {
  return mutations.filter((mutation) => mutation.public && mutation.parameters.length > 0);
}

/** `into` is the path of the list, `given` the columns of the file, if there is one. Best match first. */
export function writersOf(schema: ServedSchema, into: string, given: readonly string[] = []): readonly Writer[] {
  const info = relationIndex(schema).get(into);
  if (info === undefined) return [];
  const isWritten = writingOf(schema, info);
  const columns = columnsOf(schema, info);
  return importable(schema.mutations)
    .filter(isWritten)
    .map((mutation) => ({
      mutation,
      columns: columns.filter((column) => isParameter(mutation, column)),
      ofFile: given.length === 0 ? 0 : fitOf(mutation, given),
      ofList: fitOf(mutation, columns),
    }))
    .sort((a, b) => b.ofFile - a.ofFile || b.ofList - a.ofList);
}

/** Why a mutation was selected, or why none was; undefined if the user selected it, or it is for another list. */
export function choiceWords(
  schema: ServedSchema,
  into: string,
  writers: readonly Writer[],
  selected: Mutation | undefined,
): string | undefined {
  const info = relationIndex(schema).get(into);
  if (info === undefined) return undefined;
  const name = shortName(into);
  if (selected === undefined || writers.length === 0) return writers.length === 0 ? noneWords(info, name) : undefined;
  const writer = writers.find(({ mutation }) => mutation.path === selected.path);
  if (writer === undefined) return `${shortName(selected.path)} does not write to ${name}.`;
  const { columns } = writer;
  const does = `${shortName(selected.path)} ${verbOf(selected, info)} ${name}`;
  const takes = columns.length === 0 ? '' : ` and takes ${listed(columns)}`;
  const others = writer === writers[0] && writers.length > 1 ? ` Best match of ${writers.length} mutations.` : '';
  return `${does}${takes}.${others}`;
}

function verbOf({ inserts }: Mutation, info: RelationInfo): string {
  return info.kind === 'field' && !inserts.includes(ownerOf(info)) ? 'sets' : 'adds to';
}

function noneWords({ kind }: RelationInfo, name: string): string {
  return kind === 'concept' || kind === 'stored' || kind === 'field'
    ? `No public mutation writes to ${name}.`
    : `${name} is derived by rules, so no mutation writes to it.`;
}

/** Individuals of a subclass count; so does the field's individual. */
function writingOf({ concepts }: ServedSchema, info: RelationInfo): (mutation: Mutation) => boolean {
  const parents = new Map(concepts.map(({ path, parent }) => [path, parent]));
  const isWithin = (path: string | null, wanted: string): boolean =>
    path !== null && (path === wanted || isWithin(parents.get(path) ?? null, wanted));
  const inserted = info.kind === 'field' ? ownerOf(info) : info.path;
  return ({ inserts, sets }) => sets.includes(info.path) || inserts.some((path) => isWithin(path, inserted));
}

/** The concept of the field. */
function ownerOf({ path }: RelationInfo): string {
  return path.slice(0, path.lastIndexOf('.'));
}

function columnsOf({ concepts }: ServedSchema, { path, endpoints }: RelationInfo): readonly string[] {
  const concept = concepts.find((each) => each.path === path);
  return (concept?.fields ?? endpoints).map(({ name }) => name);
}

function isParameter({ parameters }: Mutation, column: string): boolean {
  return Object.values(guessMapping(parameters, [column])).includes(column);
}

/** The number of matching columns, minus the required parameters without a column. */
function fitOf({ parameters }: Mutation, columns: readonly string[]): number {
  const mapping = guessMapping(parameters, columns);
  const fed = parameters.filter(({ name }) => mapping[name] !== null).length;
  return fed - parameters.filter(({ name, required }) => required && mapping[name] === null).length;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
