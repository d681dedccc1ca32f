/** Short forms of JSON values and of places in them, for messages. */

import { Numeral } from './numeral.js';

const LENGTH_MAX = 80;

/** A received value: a scalar as JSON writes it, anything else by its kind. */
export function jsonWords(json: unknown): string {
  if (json === undefined) return 'nothing';
  if (json instanceof Numeral) return shortened(json.text);
  if (Array.isArray(json)) return 'an array';
  if (typeof json === 'object' && json !== null) return 'an object';
  return shortened(JSON.stringify(json) ?? typeof json);
}

/** The JSON path of a place below `root`: `$.steps[0].args`. */
export function jsonPath(keys: readonly PropertyKey[], root = '$'): string {
  return root + keys.map(step).join('');
}

function step(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${shortened(name)}` : `[${shortened(JSON.stringify(name))}]`;
}

function shortened(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 3)}…` : text;
}
