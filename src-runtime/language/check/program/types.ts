/** The types of checked modules: their text, subtyping, and common types. */

import type { ClassSymbol, EnumSymbol, ExternTypeSymbol } from './symbols.js';
import { classChain, conceptOf, hasLostParent } from './symbols.js';

export type ScalarName = 'Bool' | 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime';

export type Type =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'enum'; readonly symbol: EnumSymbol }
  | { readonly kind: 'class'; readonly symbol: ClassSymbol }
  | { readonly kind: 'extern'; readonly symbol: ExternTypeSymbol }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'record'; readonly fields: readonly { readonly name: string; readonly type: Type }[] }
  /** The type of `none` without an expected type. */
  | { readonly kind: 'none' }
  /** Something is wrong here and has been reported: fits everywhere, silently. */
  | { readonly kind: 'error' };

export const SCALARS: readonly ScalarName[] = ['Bool', 'Int', 'Decimal', 'Text', 'Date', 'DateTime'];

export const BOOL: Type = { kind: 'scalar', name: 'Bool' };
export const INT: Type = { kind: 'scalar', name: 'Int' };
export const DECIMAL: Type = { kind: 'scalar', name: 'Decimal' };
export const TEXT: Type = { kind: 'scalar', name: 'Text' };
export const DATE: Type = { kind: 'scalar', name: 'Date' };
export const DATE_TIME: Type = { kind: 'scalar', name: 'DateTime' };
export const NONE: Type = { kind: 'none' };
export const ERROR: Type = { kind: 'error' };

/** `T?`; an optional type stays unchanged. */
export function optional(type: Type): Type {
  return type.kind === 'optional' || type.kind === 'error' || type.kind === 'none'
    ? type
    : { kind: 'optional', of: type };
}

/** `T` for `T?`; any other type stays unchanged. */
export function required(type: Type): Type {
  return type.kind === 'optional' ? type.of : type;
}

export function isOptional(type: Type): boolean {
  return type.kind === 'optional' || type.kind === 'none';
}

export function isScalar(type: Type, name: ScalarName): boolean {
  return type.kind === 'scalar' && type.name === name;
}

export function isNumber(type: Type): boolean {
  return isScalar(type, 'Int') || isScalar(type, 'Decimal');
}

/** The type as one writes it. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'enum':
    case 'class':
    case 'extern':
      return type.symbol.name;
    case 'optional':
      return `${typeText(type.of)}?`;
    case 'list':
      return `[${typeText(type.of)}]`;
    case 'record':
      return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')} }`;
    case 'none':
      return 'none';
    case 'error':
      return '?';
  }
}

export function sameType(a: Type, b: Type): boolean {
  if (a.kind === 'error' || b.kind === 'error') return true;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.name === b.name;
  if (a.kind === 'optional') return b.kind === 'optional' && sameType(a.of, b.of);
  if (a.kind === 'list') return b.kind === 'list' && sameType(a.of, b.of);
  if (a.kind === 'none') return b.kind === 'none';
  if (a.kind === 'record') {
    return (
      b.kind === 'record' &&
      a.fields.length === b.fields.length &&
      a.fields.every((field, i) => field.name === b.fields[i]?.name && sameType(field.type, b.fields[i].type))
    );
  }
  return a.kind === b.kind && 'symbol' in b && a.symbol === b.symbol;
}

/** Every value of `a` is a value of `b`, without conversion. */
export function isSubtype(a: Type, b: Type): boolean {
  if (a.kind === 'error' || b.kind === 'error') return true;
  if (b.kind === 'optional') return a.kind === 'none' || isSubtype(required(a), b.of);
  if (a.kind === 'class' && b.kind === 'class') return isSubclass(a.symbol, b.symbol);
  if (a.kind === 'list' && b.kind === 'list') return isSubtype(a.of, b.of);
  if (a.kind === 'record' && b.kind === 'record') {
    return (
      a.fields.length === b.fields.length &&
      b.fields.every((field) => {
        const own = a.fields.find((candidate) => candidate.name === field.name);
        return own !== undefined && isSubtype(own.type, field.type);
      })
    );
  }
  return sameType(a, b);
}

/** A class with an unknown parent, which is reported, may be a subclass of any class. */
function isSubclass(a: ClassSymbol, b: ClassSymbol): boolean {
  return classChain(a).includes(b) || hasLostParent(a);
}

/**
 * Whether an individual may be in both: their concepts lie on one inheritance chain. Two defines over one concept may
 * share individuals, two concepts side by side never do.
 */
export function mayOverlap(a: ClassSymbol, b: ClassSymbol): boolean {
  const [first, second] = [conceptOf(a), conceptOf(b)];
  if (first === null || second === null) return true;
  return isSubclass(first, second) || isSubclass(second, first);
}

/** The more specific of the types of two uses of a variable, or undefined if they have no common value. */
export function narrower(a: Type, b: Type): Type | undefined {
  if (a.kind === 'error') return b;
  if (b.kind === 'error') return a;
  if (a.kind !== 'class' || b.kind !== 'class') return sameType(a, b) ? a : undefined;
  if (isSubclass(a.symbol, b.symbol)) return a;
  if (isSubclass(b.symbol, a.symbol)) return b;
  if (!mayOverlap(a.symbol, b.symbol)) return undefined;
  const [first, second] = [conceptOf(a.symbol), conceptOf(b.symbol)];
  if (first !== null && second !== null && first !== second) return isSubclass(first, second) ? a : b;
  return a.symbol.path < b.symbol.path ? a : b;
}

/** The types that `<`, `min`, `max` and `order by` can order. Individuals have no order that a module should depend on. */
export function isOrdered(type: Type): boolean {
  if (type.kind === 'optional' || type.kind === 'list') return isOrdered(type.of);
  if (type.kind === 'record') return type.fields.every((field) => isOrdered(field.type));
  return type.kind === 'enum' || type.kind === 'scalar';
}

/** The least type that both fit into (after Int to Decimal), or undefined. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a.kind === 'error' || b.kind === 'error') return ERROR;
  if (a.kind === 'none') return optional(b);
  if (b.kind === 'none') return optional(a);
  if (a.kind === 'optional' || b.kind === 'optional') {
    const inner = commonType(required(a), required(b));
    return inner === undefined ? undefined : optional(inner);
  }
  if (isNumber(a) && isNumber(b)) return sameType(a, b) ? a : DECIMAL;
  if (a.kind === 'class' && b.kind === 'class') {
    const shared = classChain(a.symbol).find((symbol) => isSubclass(b.symbol, symbol));
    return shared === undefined ? undefined : { kind: 'class', symbol: shared };
  }
  if (isSubtype(a, b)) return b;
  return isSubtype(b, a) ? a : undefined;
}
