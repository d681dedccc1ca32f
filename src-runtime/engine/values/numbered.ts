/** Numbers the values of one type on first use. */

import { invariant } from '../../base/invariant.js';
import { LargeMap } from '../../base/large-map.js';
import { EvaluationFault } from '../errors.js';

/** Numbers for the values of one type, rolled back ones included. */
export const NUMBERS_MAX = 0x20000000;

/**
 * Values of one type in a scope, at most: an array of V8 has at most 2^27 elements, and grows by half. Memory ends
 * before, unless the values are numbers.
 */
const VALUES_MAX = 0x4000000;

/** Approximate size of a short value with its table entries. */
const VALUE_BYTES = 128;

export interface Numbered<Key extends string | number, V> {
  /** The number of a value that has one. */
  known(key: Key): number | undefined;
  numberOf(key: Key, value: V): number;
  /** Adds a value without a number. */
  add(key: Key, value: V): number;
  at(number: number): V | undefined;
}

/** The numbers of keys. */
interface Numbers<Key> {
  readonly size: number;
  get(key: Key): number | undefined;
  set(key: Key, number: number): void;
  delete(key: Key): boolean;
}

/** Numbers from 0. A number never gets another meaning; a rolled back value leaves its number unused. */
export class Lasting<Key extends string | number, V> implements Numbered<Key, V> {
  readonly values: (V | undefined)[] = [];
  private readonly numbers: Numbers<Key>;
  private readonly valuesMax: number;
  /** The first number of undecided trials, and the number of trials. */
  private triedFrom = Number.POSITIVE_INFINITY;
  private trials = 0;
  /** Numbers from there on that others have met too. */
  private readonly claimed = new LargeMap<number, true>();

  constructor(numbers: Numbers<Key>, valuesMax = VALUES_MAX) {
    this.valuesMax = valuesMax;
    this.numbers = numbers;
  }

  known(key: Key): number | undefined {
    const number = this.numbers.get(key);
    if (number !== undefined) this.claim(number);
    return number;
  }

  /** Keeps a value that someone has met, if it is of an undecided trial. */
  claim(number: number): void {
    if (number >= this.triedFrom) this.claimed.set(number, true);
  }

  numberOf(key: Key, value: V): number {
    return this.known(key) ?? this.add(key, value);
  }

  add(key: Key, value: V): number {
    const number = this.values.length;
    invariant(number < NUMBERS_MAX, 'fewer than half a billion distinct values have been interned');
    // Nothing is counted before this many numbers are used.
    if (number >= this.valuesMax && this.numbers.size >= this.valuesMax) throw tooMany(this.valuesMax);
    this.numbers.set(key, number);
    this.values.push(value);
    return number;
  }

  /** `known` for a trial, which also finds its own values. */
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

  /**
   * Drops the values of these keys, unless others have met them since. If nobody holds a dropped number, the last ones
   * are used again.
   */
  endTrial(dropped: readonly Span<Key>[], isHeld = true): void {
    for (const { from, keys } of dropped) {
      for (const [at, key] of keys.entries()) {
        if (this.claimed.has(from + at)) continue;
        this.numbers.delete(key);
        this.values[from + at] = undefined;
      }
    }
    for (const { from, keys } of isHeld ? [] : [...dropped].reverse()) {
      if (from + keys.length !== this.values.length) break;
      while (this.values.length > from && !this.claimed.has(this.values.length - 1)) this.values.length -= 1;
      if (this.values.length > from) break;
    }
    this.trials -= 1;
    if (this.trials > 0) return;
    this.triedFrom = Number.POSITIVE_INFINITY;
    // Clearing a map allocates a new table, and most trials leave it empty.
    if (this.claimed.size > 0) this.claimed.clear();
  }
}

/** Extends a shared table. Its own values are numbered from −1 down, and are dropped with it. */
export class Passing<Key extends string | number, V> implements Numbered<Key, V> {
  /** Approximate size of its own values. */
  bytes = 0;
  private readonly shared: Numbered<Key, V>;
  private readonly values: V[] = [];
  private numbers: LargeMap<Key, number> | undefined;

  constructor(shared: Numbered<Key, V>) {
    this.shared = shared;
  }

  /** Own values first: the shared table may have met the value since, and a reader must see one code. */
  known(key: Key): number | undefined {
    return this.numbers?.get(key) ?? this.shared.known(key);
  }

  numberOf(key: Key, value: V): number {
    return this.known(key) ?? this.add(key, value);
  }

  add(key: Key, value: V): number {
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

/** Consecutive numbers, from this one on, and their keys. */
interface Span<Key> {
  readonly from: number;
  readonly keys: Key[];
}

/** Adds to a lasting table, and removes what it added if the trial fails. */
export class Tried<Key extends string | number, V> implements Numbered<Key, V> {
  private readonly lasting: Lasting<Key, V>;
  /** The numbers that it added, ascending. There are gaps where others added some. */
  private own: Span<Key>[] = [];

  constructor(lasting: Lasting<Key, V>) {
    this.lasting = lasting;
    lasting.beginTrial();
  }

  known(key: Key): number | undefined {
    const number = this.lasting.peek(key);
    if (number !== undefined && !this.isOwn(number)) this.lasting.claim(number);
    return number;
  }

  numberOf(key: Key, value: V): number {
    return this.known(key) ?? this.add(key, value);
  }

  add(key: Key, value: V): number {
    const number = this.lasting.add(key, value);
    const span = this.own.at(-1);
    if (span !== undefined && span.from + span.keys.length === number) span.keys.push(key);
    else this.own.push({ from: number, keys: [key] });
    return number;
  }

  private isOwn(number: number): boolean {
    let [low, high] = [0, this.own.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.own[middle] as Span<Key>).from <= number) low = middle + 1;
      else high = middle;
    }
    const span = this.own[low - 1];
    return span !== undefined && number < span.from + span.keys.length;
  }

  at(number: number): V | undefined {
    return this.lasting.at(number);
  }

  keep(): void {
    this.end([]);
  }

  drop(isHeld = true): void {
    this.end(this.own, isHeld);
  }

  private end(dropped: readonly Span<Key>[], isHeld = true): void {
    this.lasting.endTrial(dropped, isHeld);
    this.own = [];
  }
}

function tooMany(most: number): EvaluationFault {
  return new EvaluationFault('factBudget', `more than ${most.toLocaleString('en')} distinct values of one type`);
}
