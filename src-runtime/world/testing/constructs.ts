/** One construct of the language at a time: what it gives when it runs, or the codes of what the compiler finds. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import { compile } from '../../compiler/index.js';
import { failureOf, startWorld } from './start-world.js';

/** What the expression is worth in a query; where that fails, the code without its prefix. */
export async function worthOf(type: string, expression: string, declarations = ''): Promise<JsonValue> {
  return resultOf(`${declarations}\npub query q() -> ${type} { value ${expression} }`);
}

/** What the query `m::q` of the module `m` gives; where it fails, the code without its prefix. */
export async function resultOf(declarations: string, args: Record<string, JsonValue> = {}): Promise<JsonValue> {
  const world = await startWorld(`module m\n${declarations}`);
  try {
    return await world.query('m::q', args);
  } catch {
    return (await failureOf(world.query('m::q', args))).code.replace('SVC_RUNTIME_', '');
  }
}

/** The codes that the compiler finds in the declarations of a module `m`, warnings included. */
export function codesOf(declarations: string): string[] {
  return codesOfModules([`module m\n${declarations}`]);
}

export function codesOfModules(texts: readonly string[]): string[] {
  const sources = texts.map((text, index) => ({ file: `test${index}.entail`, text }));
  return compile(sources).diagnostics.map(({ code }) => code);
}
