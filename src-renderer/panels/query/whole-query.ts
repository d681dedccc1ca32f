/** A whole text that asks for what a name of the schema stands for: what one begins with where there is no text yet. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { shortName } from '../../model/facts/locations.js';

/** What is asked for, in the words of the language: rows, or what a call gives. */
export type Asked =
  | { readonly select: string; readonly of: string; readonly where: string }
  | { readonly value: string; readonly of: string; readonly parameters: string };

export interface WholeQuery {
  readonly text: string;
  /** Behind what it asks for, where conditions and arguments are added. */
  readonly cursor: number;
}

/** A query with this in it, which can be run as it is. */
export function wholeQuery(asked: Asked, schema: ServedSchema): WholeQuery {
  const name = freeName(schema);
  const before =
    'value' in asked
      ? `query ${name}(${asked.parameters}) -> ${asked.of} {\n  value ${asked.value}`
      : `query ${name}() -> [${asked.of}] {\n  select ${asked.select}${asked.select.startsWith('{') ? '\n  ' : ' '}where ${asked.where}`;
  return { text: `${before}\n}`, cursor: before.length };
}

/** A name that the module gives to nothing else. */
function freeName({ queries, mutations, functions, relations, defines, checks }: ServedSchema): string {
  const taken = new Set(
    [queries, mutations, functions, relations, defines, checks].flatMap((all) =>
      all.map(({ path }) => shortName(path)),
    ),
  );
  let name = 'all';
  for (let number = 2; taken.has(name); number += 1) name = `all${number}`;
  return name;
}
