/** Decodes the codes of a column to wire values, for long lists. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import { bare, type EndpointInfo, type Interner, toWire } from '../../engine/index.js';

export interface WireColumn {
  readonly name: string;
  wireOf(code: number): JsonValue;
}

export function wireColumns(interner: Interner, endpoints: readonly EndpointInfo[]): WireColumn[] {
  return endpoints.map(({ name, type }) => ({ name, wireOf: rememberingDecoderOf(interner, type) }));
}

/** Texts of dates and decimals that are remembered of each type. Writing one takes about a microsecond, and most columns repeat theirs. */
const REMEMBERED_MAX = 1 << 16;

const REMEMBERED = new WeakMap<Interner, Map<string, Map<number, JsonValue>>>();

export function decoderOf(interner: Interner, type: Type): (code: number) => JsonValue {
  return (code) => toWire(type, interner.decode(type, code)) as JsonValue;
}

function rememberingDecoderOf(interner: Interner, type: Type): (code: number) => JsonValue {
  const decode = decoderOf(interner, type);
  const plain = bare(type);
  if (plain.kind !== 'scalar' || !['Decimal', 'Date', 'DateTime'].includes(plain.name)) return decode;
  const remembered = rememberedOf(interner, plain.name);
  return (code) => {
    const known = remembered.get(code);
    if (known !== undefined) return known;
    const value = decode(code);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(code, value);
    return value;
  };
}

function rememberedOf(interner: Interner, type: string): Map<number, JsonValue> {
  const types = REMEMBERED.get(interner) ?? new Map<string, Map<number, JsonValue>>();
  REMEMBERED.set(interner, types);
  const remembered = types.get(type) ?? new Map<number, JsonValue>();
  types.set(type, remembered);
  return remembered;
}
