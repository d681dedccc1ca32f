/**
 * Renders a schema as source: every declaration with signature and doc, and a dummy body. The language service works on
 * sources, so it learns the names of the loaded module even if the server has none. Findings in this source mean
 * nothing.
 */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { enclosingModule, moduleOfPath, type Named } from '../../model/facts/enclosing-module.js';
import { literalText } from '../../model/facts/literal.js';
import { shortName } from '../../model/facts/locations.js';
import { typeText } from '../../model/facts/type-text.js';
import type { SourceFile } from '../../server-state/api.js';

/** Input of the language service: the text goes after `own`, and `others` are the other modules. */
export interface SchemaSources {
  readonly own: string;
  readonly others: readonly SourceFile[];
}

/** For a text of this module, or of the first if it is not loaded. */
export function sourcesOfSchema(schema: ServedSchema, module?: string): SchemaSources {
  const enclosing = enclosingModule(schema, module);
  const others = schema.modules.map(({ name }) => name).filter((name) => name !== enclosing.module);
  if (enclosing.module === undefined) return { own: sourceOf(schema, schema.modules[0]?.name ?? 'adhoc'), others: [] };
  return {
    own: sourceOf(schema, enclosing.module),
    others: others.map((name) => ({
      file: `others/${name.replaceAll('::', '.')}.entail`,
      text: sourceOf({ ...schema, context: [] }, name),
    })),
  };
}

/** The declarations of a module. The context is shared, so only one module declares it. */
function sourceOf(schema: ServedSchema, module: string): string {
  const { named } = enclosingModule(schema, module);
  const own = <Each extends { readonly path: string }>(all: readonly Each[]): readonly Each[] =>
    schema.modules.length < 2 ? all : all.filter(({ path }) => moduleOfPath(path) === module);
  const uses = schema.modules.find(({ name }) => name === module)?.uses ?? [];
  const items = [
    ...uses.map((path) => `use ${moduleOfPath(path)}::{${shortName(path)}}`),
    ...schema.context.map((field) => `${documented(field)}context ${field.name}: ${typeText(field.type, named)}`),
    ...own(schema.enums).map((item) => `${head(item, 'enum')} { ${item.members.map(memberText).join(', ')} }`),
    ...own(schema.concepts).map((concept) => conceptText(concept, named)),
    ...own(schema.relations).map((relation) => relationText(relation, named)),
    ...own(schema.defines).map((item) => `${head(item, 'define')}(it: ${named(item.class)}) when true`),
    ...own(schema.individuals).map((item) => `${head(item, 'individual')}: ${named(item.concept)} { }`),
    ...own(schema.checks.filter(({ builtIn }) => !builtIn)).map((check) => checkText(check, named)),
    ...own(schema.queries).map((item) => `${head(item, 'query')}${signature(item, item.result, named)} { value none }`),
    ...own(schema.mutations).map((item) => `${head(item, 'mutation')}${signature(item, item.result, named)} { }`),
    ...own(schema.functions).map(
      (item) =>
        `${head(item, item.extern ? 'extern fn' : 'fn')}${signature(item, item.result, named)}${item.extern ? '' : ' = none'}`,
    ),
  ];
  return `module ${module}\n\n${items.join('\n')}\n`;
}

interface Declared {
  readonly path: string;
  readonly public: boolean;
  readonly doc?: string | undefined;
}

type Parameter = ServedSchema['queries'][number]['parameters'][number];

function head(item: Declared, word: string): string {
  return `${documented(item)}${item.public ? 'pub ' : ''}${word} ${shortName(item.path)}`;
}

function documented({ doc }: { readonly doc?: string | undefined }): string {
  return doc === undefined
    ? ''
    : `${doc
        .split('\n')
        .map((line) => `/// ${line}`)
        .join('\n')}\n`;
}

function memberText({ name, doc }: ServedSchema['enums'][number]['members'][number]): string {
  return `${doc === undefined ? '' : `\n${documented({ doc })}`}${name}`;
}

function conceptText(concept: ServedSchema['concepts'][number], named: Named): string {
  const parent = concept.parent === null ? '' : ` is ${named(concept.parent)}`;
  const own = concept.fields.filter(({ path }) => path === `${concept.path}.${path.slice(path.lastIndexOf('.') + 1)}`);
  return `${head(concept, 'concept')}${parent} {\n${own.map((field) => fieldText(field, named)).join('')}}`;
}

function fieldText(field: ServedSchema['concepts'][number]['fields'][number], named: Named): string {
  const { name, type, unique, navigation, refinement } = field;
  const parts = [
    `${name}: ${typeText(type, named)}`,
    unique ? 'unique' : '',
    navigation === undefined ? '' : `via ${named(navigation.relation)}.${navigation.endpoint}`,
    refinement === undefined ? '' : `where ${refinement}`,
    defaultText(field, named),
  ];
  return `${documented(field)}${parts.filter(Boolean).join(' ')}\n`;
}

interface Defaulted {
  readonly type: WireType;
  readonly default?: JsonValue | undefined;
}

function defaultText({ type, default: value }: Defaulted, named: Named): string {
  const text = value === undefined ? undefined : literalText(type, value, undefined, named);
  return text === undefined ? '' : `= ${text}`;
}

function relationText(relation: ServedSchema['relations'][number], named: Named): string {
  const derived = relation.kind === 'derived';
  const endpoints = relation.endpoints.map(
    ({ name, type, functional }) => `${name}: ${typeText(type, named)}${functional ? ' [0..1]' : ''}`,
  );
  const body = derived ? ` when ${relation.endpoints.map((each) => bound(each, named)).join(', ') || 'true'}` : '';
  return `${head(relation, derived ? 'derive' : 'relation')}(${endpoints.join(', ')})${body}`;
}

/** Any literal of the parameter's type. */
function bound({ name, type }: { readonly name: string; readonly type: WireType }, named: Named): string {
  return type.kind === 'class' ? `${named(type.path)}(${name})` : `let ${name} = ${someValue(type)}`;
}

const SOME_VALUES: Readonly<Record<string, string>> = {
  Bool: 'true',
  Text: '""',
  Date: 'date "2000-01-01"',
  DateTime: 'datetime "2000-01-01T00:00:00Z"',
};

function someValue(type: WireType): string {
  return type.kind === 'scalar' ? (SOME_VALUES[type.name] ?? '0') : 'none';
}

function checkText(check: ServedSchema['checks'][number], named: Named): string {
  const body = check.parameters.map((each) => bound(each, named)).join(', ') || 'true';
  return `${head(check, 'check')}${signature(check, null, named)} when ${body} severity ${check.severity} message ""`;
}

function signature(
  { parameters }: { readonly parameters: readonly Parameter[] },
  result: WireType | null,
  named: Named,
): string {
  const texts = parameters.map((parameter) => {
    const refinement = parameter.refinement === undefined ? '' : `where ${parameter.refinement}`;
    return [`${parameter.name}: ${typeText(parameter.type, named)}`, refinement, defaultText(parameter, named)]
      .filter(Boolean)
      .join(' ');
  });
  return `(${texts.join(', ')})${result === null ? '' : ` -> ${typeText(result, named)}`}`;
}
