/** What conditions and expressions outside rules have for variables from outside: types, values, and what is made for each kind of them. */

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

/** Bodies are parts of their artifact, so what was made for one lives as long as the artifact does. */
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
