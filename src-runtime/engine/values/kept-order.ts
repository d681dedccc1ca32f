/** The order of the codes of a `least` or `greatest` endpoint. */

import type { Type } from '../../artifact/types.js';
import type { EndpointInfo } from '../types.js';
import { INT_INLINE_LIMIT, type Interner } from './codec.js';
import { comparison, type OrderSchema } from './compare.js';

/**
 * How codes are compared: by themselves, where they are in the order of their values, or by values. Small Ints are
 * their own codes, and others are not. A greatest value is kept in descending order.
 */
export type OrderOfKept = 'ascending' | 'descending' | 'ascendingInts' | 'descendingInts' | 'valued';

export interface KeptOrder {
  isBetter(code: number, known: number): boolean;
  /** False for texts, whose keys are all equal. */
  readonly hasKeys: boolean;
  /** Smaller for better values; equal keys say nothing. */
  keyOf(code: number): number;
}

/** For the last of these endpoints. */
export function orderOfKept(schema: OrderSchema, interner: Interner, endpoints: readonly EndpointInfo[]): KeptOrder {
  const { type, keeps } = endpoints.at(-1) as EndpointInfo;
  const sign = keeps === 'greatest' ? -1 : 1;
  if (isInOrder(type)) {
    return {
      isBetter: (code, known) => (sign > 0 ? code < known : code > known),
      hasKeys: true,
      keyOf: (code) => sign * code,
    };
  }
  const numberOf = numbers(interner, type);
  const compare = comparison(schema, type);
  return {
    isBetter: (code, known) => {
      if (code === known) return false;
      const [one, other] = [numberOf(code), numberOf(known)];
      if (one !== other) return sign * (one - other) < 0;
      return sign * compare(interner.decode(type, code), interner.decode(type, known)) < 0;
    },
    hasKeys: !isText(type),
    keyOf: (code) => sign * numberOf(code),
  };
}

/** Whether one code of an endpoint is better than another. One function for each kind of endpoint, for plans. */
export function codeOrder(schema: OrderSchema, endpoint: EndpointInfo): CodeOrder {
  const known = CODE_ORDERS.get(endpoint);
  if (known !== undefined) return known;
  const orders = new WeakMap<Interner, KeptOrder>();
  const order: CodeOrder = (interner, code, other) => {
    const own = orders.get(interner) ?? orderOfKept(schema, interner, [endpoint]);
    orders.set(interner, own);
    return own.isBetter(code, other);
  };
  CODE_ORDERS.set(endpoint, order);
  return order;
}

type CodeOrder = (interner: Interner, code: number, known: number) => boolean;

const CODE_ORDERS = new WeakMap<EndpointInfo, CodeOrder>();

/** How generated code compares the codes of an endpoint. */
export function comparedBy({ type, keeps }: EndpointInfo): OrderOfKept {
  const order = keeps === 'greatest' ? 'descending' : 'ascending';
  if (isInOrder(type)) return order;
  return isInt(type) ? `${order}Ints` : 'valued';
}

/** Dates and enum members have codes in their order. */
function isInOrder(type: Type): boolean {
  return type.kind === 'enum' || (type.kind === 'scalar' && type.name === 'Date');
}

function isInt(type: Type): boolean {
  return type.kind === 'scalar' && type.name === 'Int';
}

function isText(type: Type): boolean {
  return type.kind === 'scalar' && type.name === 'Text';
}

/** The value of a code as a number, or the nearest one; 0 for texts. */
function numbers(interner: Interner, type: Type): (code: number) => number {
  if (isText(type)) return () => 0;
  if (isInt(type)) return (code) => (code < INT_INLINE_LIMIT ? code : interner.decodeInt(code));
  const known = new Map<number, number>();
  return (code) => {
    const found = known.get(code);
    if (found !== undefined) return found;
    const number = Number(interner.decode(type, code));
    known.set(code, number);
    return number;
  };
}
