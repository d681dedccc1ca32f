/** A complete query about a name of the schema, for an empty text. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { shortName } from '../../model/facts/locations.js';

/** The source of what the query returns: rows, or the value of a call. */
export type QueryParts =
  | { readonly select: string; readonly of: string; readonly where: string }
  | { readonly value: string; readonly of: string; readonly parameters: string };

export interface ExampleText {
  readonly text: string;
  /** Offset for further conditions or arguments. */
  readonly cursor: number;
}

export function exampleText(parts: QueryParts, schema: ServedSchema): ExampleText {
  const name = freeName(schema);
  const before =
    'value' in parts
      ? `query ${name}(${parts.parameters}) -> ${parts.of} {\n  value ${parts.value}`
      : `query ${name}() -> [${parts.of}] {\n  select ${parts.select}${parts.select.startsWith('{') ? '\n  ' : ' '}where ${parts.where}`;
  return { text: `${before}\n}`, cursor: before.length };
}

/** A name that the module does not use. */
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
