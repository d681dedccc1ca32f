/** Outer variables of conditions and expressions outside rules: their types, values, and caches by type. */

import type { Type } from '../../artifact/types.js';
import { type Bare, bareRecord } from '../../base/bare-record.js';
import type { Bindings } from '../types.js';
import type { Value } from '../values/value.js';
import type { OuterTypes } from './plans.js';

export function keyOfTypes(types: OuterTypes): string {
  let key = '';
  for (const name in types) key += `${name}: ${keyOfType(types[name] as Type)} `;
  return key;
}

/** Equal for equal types. */
export function keyOfType(type: Type): string {
  return type.kind === 'scalar' ? type.name : JSON.stringify(type);
}

/** A body belongs to its artifact, so the cache lives as long as the artifact. */
export function cached<T>(cache: WeakMap<object, Map<string, T>>, body: object, key: string, make: () => T): T {
  const made = cache.get(body) ?? new Map<string, T>();
  cache.set(body, made);
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  return value;
}

export function typesOf(bound: Bindings): Bare<Type> {
  const types = bareRecord<Type>();
  for (const name in bound) types[name] = (bound[name] as Bindings[string]).type;
  return types;
}

export function valuesOf(bound: Bindings): Bare<Value> {
  const values = bareRecord<Value>();
  for (const name in bound) values[name] = (bound[name] as Bindings[string]).value;
  return values;
}
