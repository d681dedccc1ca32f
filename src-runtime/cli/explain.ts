/** `entail explain`: why a fact holds on a running server, or why it does not and which change would make it hold. */

import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { WireType } from '../api/schemas/schemas.js';
import { didYouMean } from '../base/nearest.js';
import { type ConnectionOptions, readGiven, whereOf, withServer } from './connect.js';
import { explanationLines } from './explanation-text.js';
import { nameLines } from './individual-names.js';
import { CommandFailure, type Terminal } from './terminal.js';

export interface ExplainOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** 0 where it holds and where it does not: both are answers. */
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
    const answer = await client.explain({ relation, tuple }, { ...whereOf(options), suggest: true });
    if (options.json === true) {
      terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
      return 0;
    }
    const lines = explanationLines(answer.result);
    const names = await nameLines(client, schema, lines, whereOf(options));
    terminal.out(`${[...lines, ...names].join('\n')}\n`);
    return 0;
  });
}

/** The types of what can be explained, in order. */
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
    `The module has no relation, class or check "${path}"${didYouMean(path, [...shapes.keys()]) || `; there are: ${names.sort().join(', ') || 'none'}.`}`,
  );
}

function classType(path: string): WireType {
  return { kind: 'class', path };
}
