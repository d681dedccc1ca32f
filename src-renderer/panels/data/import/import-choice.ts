/** What takes the rows of an import: a mutation, or a concept or relation itself; the best match first, with the reason. */

import type { ImportTarget } from '../../../../src-runtime/api/schemas/import-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { columnsLike } from '../../../../src-runtime/api/tables/import-file.js';
import { guessMapping, insertParameters, type Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { shortName } from '../../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../../model/facts/relation-index.js';

type Mutation = ServedSchema['mutations'][number];

export interface Taker {
  /** As the request names it. */
  readonly target: ImportTarget;
  /** The path of the mutation, or of the list that rows are inserted into. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Names of the concepts whose individuals it inserts. */
  readonly concepts: readonly string[];
}

/** Inserts rows without a mutation; undefined for a list that takes no rows. */
export function inserting(schema: ServedSchema, into: string): Taker | undefined {
  const parameters = insertParameters(schema, into);
  return parameters && { target: { into }, path: into, parameters, concepts: [shortName(into)] };
}

export function calling({ path, parameters, inserts }: Mutation, into: string): Taker {
  return { target: { mutation: path }, path, parameters, concepts: [into, ...inserts].map(shortName) };
}

/** The best mutation if it can take the file, else inserting, which takes any row. `given` are the columns of the file, if there is one. */
export function bestTaker(
  writers: readonly Writer[],
  direct: Taker | undefined,
  given: readonly string[],
): Taker | undefined {
  const [best] = writers;
  if (best === undefined) return direct;
  const { taker } = best;
  if (direct === undefined || given.length === 0) return taker;
  return fitOf(taker, given).lacking > 0 && fitOf(direct, given).lacking === 0 ? direct : taker;
}

/** A mutation that writes the list. */
export interface Writer {
  readonly mutation: Mutation;
  readonly taker: Taker;
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
    .map((mutation) => {
      const taker = calling(mutation, into);
      return {
        ...{ mutation, taker },
        columns: columns.filter((column) => isParameter(mutation, column)),
        ofFile: given.length === 0 ? 0 : rankOf(taker, given),
        ofList: rankOf(taker, columns),
      };
    })
    .sort((a, b) => b.ofFile - a.ofFile || b.ofList - a.ofList);
}

/** What happens to each row, and why this is the choice; undefined if there is nothing to say. */
export function choiceWords(
  schema: ServedSchema,
  into: string,
  writers: readonly Writer[],
  taker: Taker | undefined,
  direct?: Taker,
  given: readonly string[] = [],
): string | undefined {
  const info = relationIndex(schema).get(into);
  if (info === undefined) return undefined;
  const name = shortName(into);
  const none = writers.length === 0 ? noneWords(info, name) : undefined;
  if (taker === undefined) return none;
  const { mutation: path } = taker.target;
  if (path === undefined) {
    const becomes = `Each row becomes a new ${info.kind === 'concept' ? name : `fact of ${name}`}.`;
    return none === undefined ? `${becomes} Checks apply, the conditions of mutations do not.` : `${becomes} ${none}`;
  }
  if (none !== undefined) return none;
  const writer = writers.find(({ mutation }) => mutation.path === path);
  if (writer === undefined) return `${shortName(path)} does not write to ${name}.`;
  const { columns } = writer;
  const does = `${shortName(path)} ${verbOf(writer.mutation, info)} ${name}`;
  const takes = columns.length === 0 ? '' : ` and takes ${listed(columns)}`;
  const others = writer === writers[0] && writers.length > 1 ? ` Best match of ${writers.length} mutations.` : '';
  return `${does}${takes}.${others}${lossWords(taker, direct, given, name)}`;
}

/** The columns of the file that only inserting keeps. */
function lossWords(taker: Taker, direct: Taker | undefined, given: readonly string[], name: string): string {
  const takes = ({ parameters }: Taker, column: string) => parameters.some((parameter) => parameter.name === column);
  const lost = given.filter((column) => direct !== undefined && takes(direct, column) && !takes(taker, column));
  return lost.length === 0 ? '' : ` To keep ${listed(lost)} too, select "insert into ${name}".`;
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
  return (
    columnsLike(
      column,
      parameters.map(({ name }) => name),
    ).length > 0
  );
}

function rankOf(taker: Taker, columns: readonly string[]): number {
  const { fed, lacking } = fitOf(taker, columns);
  return fed - lacking;
}

/** The numbers of parameters with a column, and of required ones without. */
function fitOf({ parameters, concepts }: Taker, columns: readonly string[]) {
  const mapping = guessMapping(parameters, columns, concepts);
  const without = parameters.filter(({ name }) => mapping[name] === null);
  return { fed: parameters.length - without.length, lacking: without.filter(({ required }) => required).length };
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
