/**
 * What would make a fact true, or end one that is: the smallest sets of changes of stored facts, each tried on a throwaway fork
 * and confirmed there. Sets that abduction guesses are tried first; then all others, as far as that is bounded.
 */

import { DeadlineExceeded, type Pacer } from '../../base/ports.js';
import { drive } from '../drive.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, relationOf } from '../inputs.js';
import { engineViewOf } from '../solve.js';
import type { FactStore } from '../store.js';
import type { StoreView } from '../store-view.js';
import type { FactProvenance, Transaction, View } from '../types.js';
import { Abducer } from './abduce.js';
import { type Change, type DeclaredBlock, keyOf, StoredChanges } from './changes.js';
import { type Demanded, demandOf } from './demand.js';
import { factsLike } from './search.js';

export interface SuggestOptions<T> {
  /** The fact holds, and is to hold no more; false unless given. */
  readonly ending?: boolean;
  readonly isDeclared: FactProvenance['isDeclared'];
  /** Changes in a set; 4 unless given. */
  readonly changesMax?: number;
  /** Sets to find; 5 unless given. */
  readonly setsMax?: number;
  /** Sets to try; 300 unless given. */
  readonly triesMax?: number;
  /** Asked of each set that is found, on the state before and the one after it; undefined where it must not be offered. */
  inspect(before: View, after: View, changes: readonly Change[]): Promise<T | undefined>;
}

export interface Suggestions<T> {
  /** The smallest first. No part of one is enough. */
  readonly sets: readonly { readonly changes: readonly Change[]; readonly inspected: T }[];
  /**
   * True where no set is missing that is as small as the smallest or smaller (where there is none: of up to `changesMax`
   * changes), over the individuals and values that occur, but for those that replace a fact which had only to go; false where a bound was reached first, or after a set that
   * could not be evaluated.
   */
  readonly complete: boolean;
  /** What would have had to go or to be another and cannot, as a module declares it; as far as what was guessed came to it. */
  readonly declared: readonly DeclaredBlock[];
}

type Changes = readonly Change[];

/**
 * The fact does not hold in the view, unless it is to end. Reaching a deadline is no failure: what was found until then is the answer. Throws
 * EvaluationFault where its rules cannot be evaluated at all.
 */
export async function suggest<T>(
  view: View,
  path: string,
  codes: readonly number[],
  options: SuggestOptions<T>,
  pacer: Pacer,
): Promise<Suggestions<T>> {
  const engineView = engineViewOf(view);
  const fork = engineView.store.fork(engineView);
  const search = new Search(engineView, fork, path, codes, options, pacer);
  try {
    await search.run();
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
  } finally {
    fork.close();
  }
  return search.suggestions();
}

/** Of the tries, what looking at every single change may take; the rest is for larger guesses. */
const SINGLES_SHARE = 2 / 3;

/** Single changes to try where there are too many to try all. */
const STRAYS_MAX = 50;

type Outcome = 'holds' | 'fails' | 'refused';

class Search<T> {
  private readonly view: StoreView;
  private readonly fork: FactStore;
  private readonly path: string;
  private readonly codes: readonly number[];
  private readonly options: SuggestOptions<T>;
  private readonly pacer: Pacer;
  private readonly setsMax: number;
  private readonly changesMax: number;
  private readonly found: { readonly changes: Changes; readonly inspected: T }[] = [];
  private readonly outcomes = new Map<string, Outcome>();
  private triesLeft: number;
  /** Every set of up to so many changes has been tried. */
  private exhausted = 0;
  /** A set could not be evaluated: a change that makes nothing true by itself may mend that, and those are not listed. */
  private hasFaulted = false;
  private declared: readonly DeclaredBlock[] = [];

  constructor(
    view: StoreView,
    fork: FactStore,
    path: string,
    codes: readonly number[],
    options: SuggestOptions<T>,
    pacer: Pacer,
  ) {
    this.view = view;
    this.fork = fork;
    this.path = path;
    this.codes = codes;
    this.options = options;
    this.pacer = pacer;
    this.setsMax = options.setsMax ?? 5;
    this.changesMax = options.changesMax ?? 4;
    this.triesLeft = options.triesMax ?? 300;
  }

  /** One size after the other, until some are found; of the next size those that abduction guesses. */
  async run(): Promise<void> {
    const { path, codes, pacer } = this;
    const inputs = await this.view.inputsFor([path], pacer);
    const abducible = new StoredChanges(inputs, this.options.isDeclared);
    const abducer = new Abducer(inputs, abducible);
    // Every change is looked at here, whatever it is for: what it meets that is declared stands in nothing's way.
    const stored = new StoredChanges(inputs, this.options.isDeclared);
    let singles: Changes | undefined;
    for (let size = 1; size <= this.changesMax && !this.isOver(); size++) {
      const smallest = this.found[0]?.changes.length ?? size;
      if (size > smallest + 1) return;
      const guesses = await drive(this.guesses(abducer, size), pacer);
      this.declared = abducible.declared;
      for (const changes of this.nearestFirst(guesses.filter(({ length }) => length === size)))
        await this.offer(changes);
      if (this.isOver() || size > smallest) continue;
      singles ??= this.nearestFirst(
        (await drive(everySingle(inputs, stored, demandOf(inputs, path, codes, this.goal)), pacer)).map((change) => [
          change,
        ]),
      ).flat();
      await this.exhaust(singles, size, stored);
    }
  }

  private guesses(abducer: Abducer, size: number): Generator<void, Changes[]> {
    const { path, codes } = this;
    return this.goal === 'wanted' ? abducer.guesses(path, codes, size) : abducer.endings(path, codes, size);
  }

  private get goal(): 'wanted' | 'unwanted' {
    return this.options.ending === true ? 'unwanted' : 'wanted';
  }

  suggestions(): Suggestions<T> {
    const sets = this.found.toSorted((left, right) => left.changes.length - right.changes.length);
    const smallest = sets[0]?.changes.length ?? this.changesMax;
    return { sets, complete: this.exhausted >= smallest, declared: this.declared };
  }

  /** Tries every set of the size, where there are few enough. */
  private async exhaust(singles: Changes, size: number, stored: StoredChanges): Promise<void> {
    const isNext = this.exhausted === size - 1 && stored.isComplete && !this.hasFaulted;
    const left = size === 1 ? Math.ceil(this.triesLeft * SINGLES_SHARE) : this.triesLeft;
    const isWhole = isNext && combinations(singles.length, size) <= left;
    if (!isWhole && size > 1) return;
    const most = isWhole ? left : STRAYS_MAX;
    let tried = 0;
    for (const changes of choose(singles, size, stored)) {
      if (tried >= most || this.isOver()) return;
      if (!this.outcomes.has(keyOf(changes))) tried += 1;
      await this.offer(changes);
    }
    if (isWhole) this.exhausted = size;
  }

  /** Sets that name more of the fact's own individuals come first: they change less for others. */
  private nearestFirst(sets: readonly Changes[]): Changes[] {
    const own = new Set(individualsOf(this.view, this.path, this.codes));
    const nearness = (changes: Changes): number =>
      changes.flatMap(({ path, codes }) => individualsOf(this.view, path, codes)).filter((code) => own.has(code))
        .length;
    const near = new Map(sets.map((changes) => [changes, nearness(changes)]));
    return sets.toSorted((left, right) => (near.get(right) ?? 0) - (near.get(left) ?? 0));
  }

  private isOver(): boolean {
    return this.found.length >= this.setsMax || this.triesLeft <= 0;
  }

  /** Tries the set, its parts before it. */
  private async offer(changes: Changes): Promise<void> {
    for (const part of [...parts(changes), changes]) {
      if (this.isNeedless(part)) return;
      if (this.isOver()) return;
      const outcome = this.outcomes.get(keyOf(part)) ?? (await this.attempt(part));
      // What makes it true and must not be offered leaves nothing to add either.
      if (outcome !== 'fails') return;
    }
  }

  /** It is found, or a part of it is. */
  private isNeedless(changes: Changes): boolean {
    const does = (found: Change): boolean => changes.some((change) => this.doesAtLeast(change, found));
    return this.found.some((each) => each.changes.every(does));
  }

  /** It is the same, or gives another value to a field that had only to lose the one that it has. */
  private doesAtLeast(change: Change, found: Change): boolean {
    if (keyOf([change]) === keyOf([found])) return true;
    const isReplaced = change.op === 'set' && found.op === 'delete' && change.path === found.path;
    return isReplaced && this.view.program.fields.has(change.path) && change.codes[0] === found.codes[0];
  }

  private async attempt(changes: Changes): Promise<Outcome> {
    this.triesLeft -= 1;
    await this.pacer.poll();
    const inspected = await this.inspected(changes);
    if (typeof inspected === 'object') this.found.push({ changes, ...inspected });
    const outcome = typeof inspected === 'object' ? 'holds' : inspected;
    this.outcomes.set(keyOf(changes), outcome);
    return outcome;
  }

  private async inspected(changes: Changes): Promise<{ readonly inspected: T } | 'fails' | 'refused'> {
    const writer = this.fork.begin();
    try {
      for (const change of changes) apply(writer, change);
      const inputs = await engineViewOf(writer.view).inputsFor([this.path], this.pacer);
      if (holds(inputs, this.path, this.codes) === (this.goal === 'unwanted')) return 'fails';
      const inspected = await this.options.inspect(this.view, writer.view, changes);
      return inspected === undefined ? 'refused' : { inspected };
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      this.hasFaulted = true;
      return 'fails';
    } finally {
      writer.rollback();
    }
  }
}

function individualsOf(view: View, path: string, codes: readonly number[]): number[] {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  return codes.filter((_, column) => endpoints[column]?.type.kind === 'class');
}

function holds(inputs: Inputs, path: string, codes: readonly number[]): boolean {
  const { relation, version } = relationOf(inputs, path);
  return relation.find(codes, version) >= 0;
}

function apply(writer: Transaction, { op, path, codes }: Change): void {
  if (op === 'delete') {
    writer.delete(path, codes);
    return;
  }
  if (op === 'set') {
    for (const [column, { functional }] of (writer.view.program.relations.get(path)?.endpoints ?? []).entries()) {
      if (!functional) continue;
      writer.deleteMatching(
        path,
        codes.map((code, other) => (other === column ? null : code)),
      );
    }
  }
  writer.insert(path, codes);
}

/** Every change that the fact can depend on. */
function* everySingle(inputs: Inputs, stored: StoredChanges, { wanted, unwanted }: Demanded): Generator<void, Changes> {
  const singles = new Map<string, Change>();
  const add = (changes: Changes): void => {
    for (const change of changes) singles.set(keyOf([change]), change);
  };
  for (const [each, patterns] of wanted) for (const pattern of patterns) add(yield* stored.inserts(each, pattern));
  for (const [each, patterns] of unwanted) {
    for (const pattern of patterns) {
      const facts = yield* factsLike(inputs, each, pattern, REMOVED_MAX + 1);
      if (facts.length > REMOVED_MAX) stored.isComplete = false;
      for (const fact of facts.slice(0, REMOVED_MAX)) {
        add(yield* stored.removals(each, fact));
        yield;
      }
    }
  }
  return [...singles.values()];
}

/** Facts of one pattern that are listed to be removed. */
const REMOVED_MAX = 400;

function combinations(count: number, size: number): number {
  let product = 1;
  for (let index = 0; index < size; index++) product = (product * Math.max(count - index, 0)) / (index + 1);
  return product;
}

/** Every set of the size that does not contradict itself. */
function* choose(singles: Changes, size: number, stored: StoredChanges, from = 0): Generator<Changes> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= singles.length - size; index++) {
    const first = singles.slice(index, index + 1);
    for (const rest of choose(singles, size - 1, stored, index + 1)) {
      const both = stored.merged(first, rest, size);
      if (both?.length === size) yield both;
    }
  }
}

/** The sets that are part of it, the small ones first, without the empty one and itself. */
function parts(changes: Changes): Changes[] {
  const all: Changes[] = [];
  for (let bits = 1; bits < 2 ** changes.length - 1; bits++) {
    all.push(changes.filter((_, index) => (bits >> index) % 2 === 1));
  }
  return all.sort((left, right) => left.length - right.length);
}
