/** `entail explain`: the proof of a fact on a running server, or why it is missing and which change would derive it. */

import type { Client } from '../api/client.js';
import { ApiFailure } from '../api/failures.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { Entity, WireType } from '../api/schemas/schemas.js';
import { namingOrder } from '../base/naming.js';
import { didYouMean } from '../base/nearest.js';
import { type ConnectionOptions, meantOrListed, readGiven, whereOf, withServer } from './connect.js';
import { explanationLines } from './explanation-text.js';
import { CommandFailure, type Terminal } from './terminal.js';

export interface ExplainOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Returns 0 whether the fact holds or not. */
export function explainCommand(
  url: string,
  relation: string,
  values: readonly string[],
  options: ExplainOptions,
  terminal: Terminal,
): Promise<number> {
  return withServer(url, options, terminal, async (client) => {
    const schema = (await client.schema()).result;
    const types = columnsOf(schema, relation);
    const tuple = values.map((text, at) => readGiven(`value ${at + 1}`, text, types[at]));
    const response = await client.explain({ relation, tuple }, { ...whereOf(options), suggest: true });
    if (options.json === true) {
      terminal.out(`${JSON.stringify(response, null, 2)}\n`);
      return 0;
    }
    const lines = explanationLines(response.result);
    const names = await nameLines(client, schema, lines, whereOf(options));
    terminal.out(`${[...lines, ...names].join('\n')}\n`);
    return 0;
  });
}

/** The column types of a relation, class, field or check. */
function columnsOf(schema: ServedSchema, path: string): readonly WireType[] {
  const shapes = new Map<string, readonly WireType[]>([
    ...schema.relations.map((each) => [each.path, each.endpoints.map(({ type }) => type)] as const),
    ...schema.checks.map((each) => [each.path, each.parameters.map(({ type }) => type)] as const),
    ...[...schema.concepts, ...schema.defines].map((each) => [each.path, [classType(each.path)]] as const),
    ...schema.concepts.flatMap(({ path: own, fields }) =>
      fields.map((field) => [field.path, [classType(own), field.type]] as const),
    ),
  ]);
  const found = shapes.get(path);
  if (found !== undefined) return found;
  const names = [...schema.relations, ...schema.defines, ...schema.concepts].map((each) => each.path);
  throw new CommandFailure(
    `The module has no relation, class or check "${path}"${didYouMean(path, [...shapes.keys()]) || meantOrListed(path, names)}`,
  );
}

function classType(path: string): WireType {
  return { kind: 'class', path };
}

/** Most individuals whose names are fetched, each with a request. */
const NAMED_MAX = 50;

/** One line for each individual that the lines mention by id, with its name, in order of first mention. */
async function nameLines(
  client: Client,
  schema: ServedSchema,
  lines: readonly string[],
  where: { readonly fork?: string },
): Promise<string[]> {
  const ids = [...new Set(lines.join('\n').match(/#i\d+/g) ?? [])].slice(0, NAMED_MAX);
  const named = await Promise.all(ids.map(async (id) => [id, await nameOf(client, schema, id, where)] as const));
  return named.flatMap(([id, name]) => (name === undefined ? [] : [`${id} is ${name}`]));
}

/** Undefined if no text field names it, or if it does not exist: a text may look like an id. */
async function nameOf(client: Client, schema: ServedSchema, id: string, where: { readonly fork?: string }) {
  const entity = await client.individual(id, where).catch((cause: unknown) => {
    if (cause instanceof ApiFailure) return undefined;
    throw cause;
  });
  return entity === undefined ? undefined : textOf(schema, entity.result);
}

function textOf({ concepts }: ServedSchema, entity: Entity): string | undefined {
  const fields = concepts.find(({ path }) => path === entity.$meta.type)?.fields ?? [];
  const texts = fields.flatMap(({ name, type, navigation }) => {
    const plain = type.kind === 'optional' ? type.of : type;
    return navigation === undefined && plain.kind === 'scalar' && plain.name === 'Text' ? [name] : [];
  });
  const values = namingOrder(texts).map((name) => entity[name]);
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
