/** Generates an example test from the declarations of a module. It compiles when pasted into the module. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { literalText } from '../../model/facts/literal.js';
import { shortName } from '../../model/facts/locations.js';

/** A call with an expectation. Undefined if the module has nothing to test. */
export function exampleTest(schema: ServedSchema): string | undefined {
  const own = ownOf(schema);
  const call = mutationCall(own) ?? queryCall(own);
  const check = own.checks.find(({ severity }) => severity === 'blocking') ?? own.checks[0];
  const expected =
    call?.expected ?? (check && noneOf(check.path, check.parameters)) ?? (call ? undefined : nothingYet(own));
  const lines = [call?.line, expected && `expect ${expected}`].filter((line) => line !== undefined);
  if (lines.length === 0) return undefined;
  const says = call?.says ?? (check ? `${shortName(check.path)} passes` : 'nothing is known yet');
  return [`test "${says}" {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');
}

/** A fact that no mutation creates. */
function nothingYet({ relations: [relation], concepts: [concept] }: ServedSchema): string | undefined {
  if (relation !== undefined) return noneOf(relation.path, relation.endpoints);
  return concept && noneOf(concept.path, ['it']);
}

function noneOf(path: string, members: readonly unknown[]): string {
  return `not ${shortName(path)}(${members.map(() => '_').join(', ')})`;
}

/** Only the first module: short names of others do not resolve there. */
function ownOf(schema: ServedSchema): ServedSchema {
  const module = `${schema.modules[0]?.name ?? ''}::`;
  const own = <Declared extends { readonly path: string }>(all: readonly Declared[]): Declared[] =>
    all.filter(({ path }) => path.startsWith(module) && !path.slice(module.length).includes('::'));
  return {
    ...schema,
    enums: own(schema.enums),
    individuals: own(schema.individuals),
    concepts: own(schema.concepts),
    relations: own(schema.relations),
    checks: own(schema.checks).filter(({ builtIn }) => !builtIn),
    queries: own(schema.queries),
    mutations: own(schema.mutations),
  };
}

interface ExampleCall {
  /** Name of the test. */
  readonly says: string;
  readonly line: string;
  /** Expected value, if known. */
  readonly expected?: string;
}

/** Refinements that example values satisfy; others are unknown here. */
const MET = /^(length\((value|trim\(value\))\) > 0|value >=? 0)$/;

/** Prefers a mutation that creates something. */
function mutationCall(schema: ServedSchema): ExampleCall | undefined {
  const callable = schema.mutations.filter(({ parameters }) => argumentsOf(schema, parameters) !== undefined);
  const taken = callable.filter(({ parameters }) =>
    parameters.every(({ refinement }) => refinement === undefined || MET.test(refinement)),
  );
  const mutation = [...taken.filter(({ result }) => isOwnClass(schema, result)), ...taken, ...callable][0];
  if (mutation === undefined) return undefined;
  const name = shortName(mutation.path);
  const line = `${name}(${argumentsOf(schema, mutation.parameters)})`;
  if (!isOwnClass(schema, mutation.result)) return { says: `what ${name} does`, line };
  const type = shortName(mutation.result.path);
  const made = freeName(schema, 'made');
  return { says: `${name} makes a ${type}`, line: `let ${made} = ${line}`, expected: `${type}(${made})` };
}

function queryCall(schema: ServedSchema): ExampleCall | undefined {
  const query = schema.queries.find(({ parameters }) => argumentsOf(schema, parameters) !== undefined);
  if (query === undefined) return undefined;
  const name = shortName(query.path);
  const [found, row] = [freeName(schema, 'found'), freeName(schema, 'row')];
  const says = `what ${name} finds`;
  const line = `let ${found} = ${name}(${argumentsOf(schema, query.parameters)})`;
  if (query.result.kind !== 'list') return { says, line };
  return { says, line, expected: `count(for ${row} where ${row} in ${found}) >= 0` };
}

type ClassType = Extract<WireType, { readonly path: string }>;

function isOwnClass(schema: ServedSchema, type: WireType | null): type is ClassType {
  return type?.kind === 'class' && schema.concepts.some(({ path }) => path === type.path);
}

/** Example arguments by name; undefined if a required one has no example. */
function argumentsOf(
  schema: ServedSchema,
  parameters: ServedSchema['queries'][number]['parameters'],
): string | undefined {
  const used = new Set<string>();
  const texts = parameters
    .filter(({ required }) => required)
    .map(({ name, type }) => {
      const value = exampleValue(schema, type, used);
      return value === undefined ? undefined : `${name}: ${value}`;
    });
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

const SCALARS = {
  Text: '"example"',
  Int: '1',
  Decimal: '1',
  Bool: 'true',
  Date: 'date "2026-01-01"',
  DateTime: 'datetime "2026-01-01T00:00:00Z"',
} satisfies Record<Extract<WireType, { readonly kind: 'scalar' }>['name'], string>;

/** Uses different individuals for two arguments of a class, if there are enough. */
function exampleValue(schema: ServedSchema, type: WireType, used: Set<string>): string | undefined {
  switch (type.kind) {
    case 'scalar':
      return SCALARS[type.name];
    case 'optional':
      return 'none';
    case 'list':
      return '[]';
    case 'enum': {
      const member = schema.enums.find(({ path }) => path === type.path)?.members[0];
      return member && literalText(type, member.name);
    }
    case 'class': {
      const fitting = schema.individuals.filter(({ concept }) => isKindOf(schema, concept, type.path));
      const selected = fitting.find(({ path }) => !used.has(path)) ?? fitting[0];
      if (selected === undefined) return undefined;
      used.add(selected.path);
      return `@${shortName(selected.path)}`;
    }
    case 'record': {
      const members = type.fields.map((field) => ({ name: field.name, value: exampleValue(schema, field.type, used) }));
      if (members.some(({ value }) => value === undefined)) return undefined;
      return `{ ${members.map(({ name, value }) => `${name}: ${value}`).join(', ')} }`;
    }
    default:
      return undefined;
  }
}

function isKindOf(schema: ServedSchema, concept: string, wanted: string): boolean {
  if (concept === wanted) return true;
  const parent = schema.concepts.find(({ path }) => path === concept)?.parent ?? null;
  return parent !== null && isKindOf(schema, parent, wanted);
}

/** A name that no declaration has. */
function freeName(schema: ServedSchema, word: string): string {
  const { relations, individuals, checks, queries, mutations, functions, defines } = schema;
  const taken = new Set(
    [relations, individuals, checks, queries, mutations, functions, defines].flatMap((all) =>
      all.map(({ path }) => shortName(path)),
    ),
  );
  let name = word;
  for (let number = 1; taken.has(name); number += 1) name = `${word}${number}`;
  return name;
}
