/** The values of one type, numbered as they are met. */

import { invariant } from '../../base/invariant.js';
import { LargeMap } from '../../base/large-map.js';
import { EvaluationFault } from '../errors.js';

/** Numbers that the values of one type have, also those that were only tried. */
export const NUMBERS_MAX = 0x20000000;

/**
 * Values of one type that a scope has at once, at most. A short text takes some 80 bytes of V8's heap, which ends at 4 GB where nothing
 * else is said, and the process with it.
 */
const VALUES_MAX = 0x2000000;

/** Of a short value with its place in the tables, about. */
const VALUE_BYTES = 128;

export interface Numbered<Key extends string | number, V> {
  /** Of a value that has been met. */
  known(key: Key): number | undefined;
  numberOf(key: Key, value: V): number;
  at(number: number): V | undefined;
}

/** From 0. A number never gets another meaning; what was only tried leaves its number without one. */
export class Lasting<Key extends string | number, V> implements Numbered<Key, V> {
  readonly values: (V | undefined)[] = [];
  private readonly numbers: LargeMap<Key, number>;
  private readonly valuesMax: number;
  /** Where the tried ones that are not decided begin; and how many try. */
  private triedFrom = Number.POSITIVE_INFINITY;
  private trials = 0;
  /** Numbers from there on that others than who tried them have met meanwhile. */
  private readonly claimed = new LargeMap<number, true>();

  constructor({ valuesMax = VALUES_MAX, numbers = new LargeMap<Key, number>() } = {}) {
    this.valuesMax = valuesMax;
    this.numbers = numbers;
  }

  known(key: Key): number | undefined {
    const number = this.numbers.get(key);
    if (number !== undefined && number >= this.triedFrom) this.claimed.set(number, true);
    return number;
  }

  numberOf(key: Key, value: V): number {
    return this.known(key) ?? this.add(key, value);
  }

  /** Of a value that has none. */
  add(key: Key, value: V): number {
    const number = this.values.length;
    invariant(number < NUMBERS_MAX, 'fewer than half a billion distinct values have been interned');
    // As long as so many numbers have not been given out, nothing is counted.
    if (number >= this.valuesMax && this.numbers.size >= this.valuesMax) throw tooMany(this.valuesMax);
    this.numbers.set(key, number);
    this.values.push(value);
    return number;
  }

  /** As `known`, for one who tries and finds its own with it. */
  peek(key: Key): number | undefined {
    return this.numbers.get(key);
  }

  at(number: number): V | undefined {
    return this.values[number];
  }

  beginTrial(): void {
    this.trials += 1;
    this.triedFrom = Math.min(this.triedFrom, this.values.length);
  }

  /** Drops the values of these keys, unless somebody else has met them since. */
  endTrial(dropped: LargeMap<number, Key> | undefined): void {
    for (const [number, key] of dropped ?? []) {
      if (this.claimed.has(number)) continue;
      this.numbers.delete(key);
      this.values[number] = undefined;
    }
    this.trials -= 1;
    if (this.trials > 0) return;
    this.triedFrom = Number.POSITIVE_INFINITY;
    // To clear a map makes another table for it, and most trials leave none of these.
    if (this.claimed.size > 0) this.claimed.clear();
  }
}

/** Goes on from a table that many share; what only it has met is numbered from −1 down, and goes with it. */
export class Passing<Key extends string | number, V> implements Numbered<Key, V> {
  /** What the values of its own take, about. */
  bytes = 0;
  private readonly shared: Numbered<Key, V>;
  private readonly values: V[] = [];
  private numbers: LargeMap<Key, number> | undefined;

  constructor(shared: Numbered<Key, V>) {
    this.shared = shared;
  }

  /** Its own first: the shared one may have met the value since, and a value has one code for whoever reads it. */
  known(key: Key): number | undefined {
    return this.numbers?.get(key) ?? this.shared.known(key);
  }

  numberOf(key: Key, value: V): number {
    const known = this.known(key);
    if (known !== undefined) return known;
    if (this.values.length >= VALUES_MAX) throw tooMany(VALUES_MAX);
    const number = -1 - this.values.length;
    this.numbers ??= new LargeMap();
    this.numbers.set(key, number);
    this.values.push(value);
    this.bytes += VALUE_BYTES + (typeof key === 'string' ? key.length : 0);
    return number;
  }

  at(number: number): V | undefined {
    return number >= 0 ? this.shared.at(number) : this.values[-1 - number];
  }
}

/** Adds to a lasting table, and takes back what it has added when that turns out to have been in vain. */
export class Tried<Key extends string | number, V> implements Numbered<Key, V> {
  private readonly lasting: Lasting<Key, V>;
  private own: LargeMap<number, Key> | undefined;

  constructor(lasting: Lasting<Key, V>) {
    this.lasting = lasting;
    lasting.beginTrial();
  }

  known(key: Key): number | undefined {
    const number = this.lasting.peek(key);
    return number === undefined || this.own?.has(number) ? number : this.lasting.known(key);
  }

  numberOf(key: Key, value: V): number {
    const known = this.known(key);
    if (known !== undefined) return known;
    const number = this.lasting.add(key, value);
    this.own ??= new LargeMap();
    this.own.set(number, key);
    return number;
  }

  at(number: number): V | undefined {
    return this.lasting.at(number);
  }

  keep(): void {
    this.end(undefined);
  }

  drop(): void {
    this.end(this.own);
  }

  private end(dropped: LargeMap<number, Key> | undefined): void {
    this.lasting.endTrial(dropped);
    this.own = undefined;
  }
}

function tooMany(most: number): EvaluationFault {
  return new EvaluationFault('factBudget', `more than ${most.toLocaleString('en')} distinct values of one type`);
}
