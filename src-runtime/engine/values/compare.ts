/** The language's total order of values of a type. Text is ordered by code point, which differs from UTF-16 order. */

import type { EnumDeclaration, Type } from '../../artifact/types.js';
import type { DecimalValue } from '../../base/decimal.js';
import type { Value } from './value.js';

export type Comparison = (left: Value, right: Value) => number;

export interface OrderSchema {
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
}

/** Missing values last, false first, enums by declaration, declared individuals by path and then `#i` by number. */
export function compareValues(schema: OrderSchema, type: Type, left: Value, right: Value): number {
  return comparison(schema, type)(left, right);
}

/** The same as a function, for sorting many. */
export function comparison(schema: OrderSchema, type: Type): Comparison {
  const present = comparePresent(schema, type);
  return (left, right) => {
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return present(left, right);
  };
}

function comparePresent(schema: OrderSchema, type: Type): Comparison {
  switch (type.kind) {
    case 'optional':
      return comparePresent(schema, type.of);
    case 'enum': {
      const names = schema.enums.get(type.path)?.members.map((member) => member.name) ?? [];
      const ordinals = new Map<Value, number>(names.map((name, index) => [name, index]));
      return (left, right) => (ordinals.get(left) ?? -1) - (ordinals.get(right) ?? -1);
    }
    case 'class':
      return (left, right) => compareIndividuals(left as string, right as string);
    case 'extern':
      return () => 0;
    case 'list':
      return compareLists(comparison(schema, type.of));
    case 'record':
      return compareRecords(
        type.fields.map((field) => ({ name: field.name, compare: comparison(schema, field.type) })),
      );
    case 'scalar':
      switch (type.name) {
        case 'Bool':
        case 'Int':
        case 'DateTime':
          return (left, right) => Number(left) - Number(right);
        case 'Decimal':
          return (left, right) => (left as DecimalValue).cmp(right as DecimalValue);
        case 'Text':
          return (left, right) => compareText(left as string, right as string);
        case 'Date':
          return (left, right) => compareUnits(left as string, right as string);
      }
  }
}

/** By code point: surrogates are moved above other units, so that unit order is code point order. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

function compareIndividuals(left: string, right: string): number {
  const leftNumber = left.startsWith('#i') ? Number(left.slice(2)) : -1;
  const rightNumber = right.startsWith('#i') ? Number(right.slice(2)) : -1;
  return leftNumber === rightNumber ? compareText(left, right) : leftNumber - rightNumber;
}

/** A UTF-16 unit as a number in code point order: surrogates above all others. */
export function codePointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function compareUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareLists(compare: Comparison): Comparison {
  return (left, right) => {
    const a = left as readonly Value[];
    const b = right as readonly Value[];
    for (let index = 0; index < Math.min(a.length, b.length); index++) {
      const order = compare(a[index] ?? null, b[index] ?? null);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  };
}

function compareRecords(fields: readonly { readonly name: string; readonly compare: Comparison }[]): Comparison {
  return (left, right) => {
    const a = left as { readonly [key: string]: Value };
    const b = right as { readonly [key: string]: Value };
    for (const { name, compare } of fields) {
      const order = compare(a[name] ?? null, b[name] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}
