/**
 * A schema as the source of a module: every declaration with its signature and documentation, and bodies that say nothing. The
 * language service, which works on sources, so knows what an ad-hoc text can name in the module that is loaded, whether the
 * server has its sources or not. Findings about this text mean nothing.
 */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import { literalText } from './literal.js';
import { shortName } from './locations.js';
import { typeText } from './type-text.js';

export function sourceOfSchema(schema: ServedSchema): string {
  const items = [
    ...schema.context.map((field) => `${documented(field)}context ${field.name}: ${typeText(field.type)}`),
    ...schema.enums.map((item) => `${head(item, 'enum')} { ${item.members.map(memberText).join(', ')} }`),
    ...schema.concepts.map(conceptText),
    ...schema.relations.map(relationText),
    ...schema.defines.map((item) => `${head(item, 'define')}(it: ${shortName(item.class)}) when true`),
    ...schema.individuals.map((item) => `${head(item, 'individual')}: ${shortName(item.concept)} { }`),
    ...schema.checks.filter(({ builtIn }) => !builtIn).map(checkText),
    ...schema.queries.map((item) => `${head(item, 'query')}${signature(item.parameters, item.result)} { value none }`),
    ...schema.mutations.map((item) => `${head(item, 'mutation')}${signature(item.parameters, item.result)} { }`),
    ...schema.functions.map(
      (item) =>
        `${head(item, item.extern ? 'extern fn' : 'fn')}${signature(item.parameters, item.result)}${item.extern ? '' : ' = none'}`,
    ),
  ];
  return `module ${schema.modules[0]?.name ?? 'adhoc'}\n\n${items.join('\n')}\n`;
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

function conceptText(concept: ServedSchema['concepts'][number]): string {
  const parent = concept.parent === null ? '' : ` is ${shortName(concept.parent)}`;
  const own = concept.fields.filter(({ path }) => path === `${concept.path}.${path.slice(path.lastIndexOf('.') + 1)}`);
  return `${head(concept, 'concept')}${parent} {\n${own.map(fieldText).join('')}}`;
}

function fieldText(field: ServedSchema['concepts'][number]['fields'][number]): string {
  const { name, type, unique, navigation, refinement } = field;
  const parts = [
    `${name}: ${typeText(type)}`,
    unique ? 'unique' : '',
    navigation === undefined ? '' : `via ${shortName(navigation.relation)}.${navigation.endpoint}`,
    refinement === undefined ? '' : `where ${refinement}`,
    defaultText(field),
  ];
  return `${documented(field)}${parts.filter(Boolean).join(' ')}\n`;
}

function defaultText({
  type,
  default: value,
}: {
  readonly type: WireType;
  readonly default?: JsonValue | undefined;
}): string {
  const text = value === undefined ? undefined : literalText(type, value);
  return text === undefined ? '' : `= ${text}`;
}

function relationText(relation: ServedSchema['relations'][number]): string {
  const derived = relation.kind === 'derived';
  const endpoints = relation.endpoints.map(
    ({ name, type, functional }) => `${name}: ${typeText(type)}${functional ? ' [0..1]' : ''}`,
  );
  const body = derived ? ` when ${relation.endpoints.map(bound).join(', ') || 'true'}` : '';
  return `${head(relation, derived ? 'derive' : 'relation')}(${endpoints.join(', ')})${body}`;
}

/** A literal that gives the parameter a value of its type, whichever. */
function bound({ name, type }: { readonly name: string; readonly type: WireType }): string {
  return type.kind === 'class' ? `${shortName(type.path)}(${name})` : `let ${name} = ${someValue(type)}`;
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

function checkText(check: ServedSchema['checks'][number]): string {
  const body = check.parameters.map(bound).join(', ') || 'true';
  return `${head(check, 'check')}${signature(check.parameters, null)} when ${body} severity ${check.severity} message ""`;
}

function signature(parameters: readonly Parameter[], result: WireType | null): string {
  const texts = parameters.map((parameter) => {
    const refinement = parameter.refinement === undefined ? '' : `where ${parameter.refinement}`;
    return [`${parameter.name}: ${typeText(parameter.type)}`, refinement, defaultText(parameter)]
      .filter(Boolean)
      .join(' ');
  });
  return `(${texts.join(', ')})${result === null ? '' : ` -> ${typeText(result)}`}`;
}
