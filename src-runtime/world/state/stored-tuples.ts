/** Converts values and tuples between wire form, history and the codes of a scope. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import {
  bare,
  fromWire,
  type Interner,
  NONE,
  type RelationInfo,
  toWire,
  type View,
  type WireEnvironment,
} from '../../engine/index.js';
import { historyEnvironment } from './individuals.js';
import { isStoredKind } from './scope.js';

/** The wire form of a row. */
export function wireTuple(
  { interner }: { readonly interner: Interner },
  { endpoints }: Pick<RelationInfo, 'endpoints'>,
  row: ArrayLike<number>,
): JsonValue[] {
  return endpoints.map(({ type }, index) => toWire(type, interner.decode(type, row[index] as number)) as JsonValue);
}

/** Undefined if the relation is not stored or a value does not fit. Deleted individuals keep their codes. */
export function encodeTuple(view: View, path: string, tuple: readonly unknown[]): number[] | undefined {
  const info = view.program.relations.get(path);
  if (!info || !isStoredKind(info.kind)) return undefined;
  return codesOf(info, tuple, historyEnvironment(view), view.interner);
}

/** Undefined if a value does not fit its endpoint. */
export function codesOf(
  { endpoints }: RelationInfo,
  tuple: readonly unknown[],
  environment: WireEnvironment,
  interner: Interner,
): number[] | undefined {
  if (endpoints.length !== tuple.length) return undefined;
  const codes: number[] = [];
  for (const [index, { type }] of endpoints.entries()) {
    const code = encodeValue(type, tuple[index], environment, interner);
    if (code === undefined) return undefined;
    codes.push(code);
  }
  return codes;
}

/** Undefined if the value does not fit. */
export function encodeValue(
  type: Type,
  json: unknown,
  environment: WireEnvironment,
  interner: Interner,
): number | undefined {
  const met = typeof json === 'string' && isDecimal(type) ? interner.knownDecimal(json) : NONE;
  if (met !== NONE) return met;
  const read = fromWire(type, json, environment);
  return read.ok ? interner.encode(type, read.value) : undefined;
}

function isDecimal(type: Type): boolean {
  const plain = bare(type);
  return plain.kind === 'scalar' && plain.name === 'Decimal';
}
