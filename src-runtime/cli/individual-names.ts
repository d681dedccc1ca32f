/** What the individuals of an explanation are called, so that a person can read a proof about ids. */

import type { Client } from '../api/client.js';
import { ApiFailure } from '../api/failures.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { Entity } from '../api/schemas/schemas.js';
import { namingOrder } from '../base/naming.js';

/** A proof of more individuals than these is not read one by one. */
const NAMED_MAX = 50;

/** A line for each individual without a name of its own that the lines mention, in the order in which they do. */
export async function nameLines(
  client: Client,
  schema: ServedSchema,
  lines: readonly string[],
  where: { readonly fork?: string },
): Promise<string[]> {
  const ids = [...new Set(lines.join('\n').match(/#i\d+/g) ?? [])].slice(0, NAMED_MAX);
  const named = await Promise.all(ids.map(async (id) => [id, await nameOf(client, schema, id, where)] as const));
  return named.flatMap(([id, name]) => (name === undefined ? [] : [`${id} is ${name}`]));
}

/** Undefined where no text names it, and where it is gone: an id may stand in a text, or in a fact that does not hold. */
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
