/** Runs single constructs of the language: their value, or the codes of the compiler's diagnostics. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import { compile } from '../../compiler/index.js';
import { failureOf, startWorld } from './start-world.js';

/** The value of the expression in a query, or the code of its failure without prefix. */
export async function worthOf(type: string, expression: string, declarations = ''): Promise<JsonValue> {
  return resultOf(`${declarations}\npub query q() -> ${type} { value ${expression} }`);
}

/** The result of the query `m::q` of the module `m`, or the code of its failure without prefix. */
export async function resultOf(declarations: string, args: Record<string, JsonValue> = {}): Promise<JsonValue> {
  const world = await startWorld(`module m\n${declarations}`);
  try {
    return await world.query('m::q', args);
  } catch {
    return (await failureOf(world.query('m::q', args))).code.replace('SVC_RUNTIME_', '');
  }
}

/** The codes of all diagnostics, warnings included, for the declarations of a module `m`. */
export function codesOf(declarations: string): string[] {
  return codesOfModules([`module m\n${declarations}`]);
}

export function codesOfModules(texts: readonly string[]): string[] {
  const sources = texts.map((text, index) => ({ file: `test${index}.entail`, text }));
  return compile(sources).diagnostics.map(({ code }) => code);
}
