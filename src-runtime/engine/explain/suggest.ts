/**
 * What would make a fact true, or end one that is: the smallest sets of changes of stored facts, each tried on a throwaway fork
 * and confirmed there. Sets that abduction guesses are tried first; then all others, as far as that is bounded.
 */

import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, relationOf } from '../evaluate/inputs.js';
import { drive } from '../scheduling/drive.js';
import { engineViewOf } from '../store/solve.js';
import type { FactStore } from '../store/store.js';
import type { StoreView } from '../store/store-view.js';
import type { FactProvenance, Transaction, View } from '../types.js';
import { Abducer } from './abduce.js';
import { type Change, type DeclaredBlock, keyOf, StoredChanges } from './changes.js';
import { type Demanded, demandOf } from './demand.js';
import { exampleColumns, isArbitrary, isLike, type Question } from './likeness.js';
import { factsLike } from './search.js';

export interface SuggestOptions<T> {
  /** The fact holds, and is to hold no more; false unless given. */
  readonly ending?: boolean;
  readonly isDeclared: FactProvenance['isDeclared'];
  /** Changes in a set; 4 unless given. */
  readonly changesMax?: number;
  /** Sets to find, of those that may be made; 5 unless given. */
  readonly setsMax?: number;
  /** Sets to try; 300 unless given. */
  readonly triesMax?: number;
  /** Asked of each set that is found, on the state before and the one after it; undefined where it must not be offered. */
  inspect(before: View, after: View, changes: readonly Change[]): Promise<T | undefined>;
  /** False where what was inspected would be refused: such a set is told behind all others, and others are looked for in its place. True unless given. */
  isAllowed?(inspected: T): boolean;
}

export interface SuggestedSet<T> {
  readonly changes: readonly Change[];
  readonly inspected: T;
  /** Of each change, the columns whose values are examples: other ones may do as well, and are left out but for one. */
  readonly examples: readonly (readonly number[])[];
}

export interface Suggestions<T> {
  /** What is allowed first, the smallest of that first, and of one size what has values that the rules ask for. No part of one is enough. */
  readonly sets: readonly SuggestedSet<T>[];
  /**
   * True where no set is missing that is as small as the first or smaller (where there is none: of up to `changesMax`
   * changes), over the individuals and values that occur, but for those that replace a fact which had only to go, and those that are like
   * one that is there but for values that were free to choose; false where a bound was reached first, or after a set that could not be evaluated.
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
  deadline: Deadline,
): Promise<Suggestions<T>> {
  const engineView = engineViewOf(view);
  const fork = engineView.store.fork(engineView);
  const search = new Search(engineView, fork, path, codes, options, deadline);
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

/** Sets that are like each other but for values that were free to choose, and are refused: others of them may not be, and so many are tried. */
const REFUSED_ALIKE_MAX = 8;

type Outcome = 'holds' | 'fails' | 'refused';

interface Found<T> {
  readonly changes: Changes;
  readonly inspected: T;
  readonly isAllowed: boolean;
}

class Search<T> {
  private readonly view: StoreView;
  private readonly fork: FactStore;
  private readonly path: string;
  private readonly codes: readonly number[];
  private readonly options: SuggestOptions<T>;
  private readonly deadline: Deadline;
  private readonly setsMax: number;
  private readonly changesMax: number;
  private readonly question: Question;
  private readonly found: Found<T>[] = [];
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
    deadline: Deadline,
  ) {
    this.view = view;
    this.fork = fork;
    this.path = path;
    this.codes = codes;
    this.options = options;
    this.deadline = deadline;
    this.question = { program: view.program, own: new Set(individualsOf(view, path, codes)) };
    this.setsMax = options.setsMax ?? 5;
    this.changesMax = options.changesMax ?? 4;
    this.triesLeft = options.triesMax ?? 300;
  }

  /** One size after the other, until some are found; of the next size those that abduction guesses. */
  async run(): Promise<void> {
    const { path, codes, deadline } = this;
    const inputs = await this.view.inputsFor([path], deadline);
    const abducible = new StoredChanges(inputs, this.options.isDeclared);
    const abducer = new Abducer(inputs, abducible);
    // Every change is looked at here, whatever it is for: what it meets that is declared stands in nothing's way.
    const stored = new StoredChanges(inputs, this.options.isDeclared);
    let singles: Changes | undefined;
    for (let size = 1; size <= this.changesMax && !this.isOver(); size++) {
      const smallest = this.allowed[0]?.changes.length ?? size;
      if (size > smallest + 1) return;
      const guesses = await drive(this.guesses(abducer, size), deadline);
      this.declared = abducible.declared;
      for (const changes of this.askedFirst(guesses.filter(({ length }) => length === size))) await this.offer(changes);
      if (this.isOver() || size > smallest) continue;
      singles ??= this.askedFirst(
        (await drive(everySingle(inputs, stored, demandOf(inputs, path, codes, this.goal)), deadline)).map((change) => [
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
    const allowed = this.allowed.toSorted((left, right) => weightOf(left) - weightOf(right));
    // What is like one that is allowed need not be told, and of those that are like each other one says it.
    const told = [...allowed];
    for (const each of this.found.filter(({ isAllowed }) => !isAllowed))
      if (!told.some(({ changes }) => isLike(this.question, changes, each.changes))) told.push(each);
    const sets = told.slice(0, this.setsMax);
    const smallest = sets[0]?.changes.length ?? this.changesMax;
    const isCut = told.slice(this.setsMax).some(({ changes }) => changes.length <= smallest);
    return {
      sets: sets.map(({ changes, inspected }) => ({
        changes,
        inspected,
        examples: exampleColumns(this.question, changes),
      })),
      complete: this.exhausted >= smallest && !isCut,
      declared: this.declared,
    };
  }

  private get allowed(): readonly Found<T>[] {
    return this.found.filter(({ isAllowed }) => isAllowed);
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

  /**
   * Values that a rule asks for come before those that only occur. Then come sets that name more of the fact's own individuals, as
   * they change less for others, and the fewer of them that have somebody be something to himself. But the first that changes certain
   * relations comes before the second that changes the same ones: it is another way.
   */
  private askedFirst(sets: readonly Changes[]): Changes[] {
    const { own } = this.question;
    const orderOf = (changes: Changes): readonly number[] => {
      const named = changes.map(({ path, codes }) => individualsOf(this.view, path, codes));
      const distinct = named.map((each) => new Set(each));
      const near = distinct.flatMap((each) => [...each]).filter((code) => own.has(code)).length;
      const selves = named.filter((each, index) => each.length > (distinct[index]?.size ?? 0)).length;
      return [arbitraryIn(changes), -near, selves];
    };
    const orders = new Map(sets.map((changes) => [changes, orderOf(changes)]));
    const sorted = sets.toSorted((left, right) => compareLists(orders.get(left) ?? [], orders.get(right) ?? []));
    const met = new Map<string, number>();
    const places = new Map<Changes, number>();
    for (const changes of sorted) {
      const way = changes
        .map(({ op, path }) => `${op} ${path}`)
        .sort()
        .join();
      places.set(changes, met.get(way) ?? 0);
      met.set(way, (met.get(way) ?? 0) + 1);
    }
    return sorted.sort((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
  }

  private isOver(): boolean {
    return this.allowed.length >= this.setsMax || this.triesLeft <= 0;
  }

  /** Tries the set, its parts before it. */
  private async offer(changes: Changes): Promise<void> {
    for (const part of [...parts(changes), changes]) {
      if (this.isNeedless(part) || this.isRepeat(part)) return;
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

  /** It is like what was found already but for values that were free to choose, or has more than that. */
  private isRepeat(changes: Changes): boolean {
    const like = this.found.filter((found) => isLike(this.question, found.changes, changes));
    return like.some(({ isAllowed }) => isAllowed) || like.length >= REFUSED_ALIKE_MAX;
  }

  /** It is the same, or gives another value to a field that had only to lose the one that it has. */
  private doesAtLeast(change: Change, found: Change): boolean {
    if (keyOf([change]) === keyOf([found])) return true;
    const isReplaced = change.op === 'set' && found.op === 'delete' && change.path === found.path;
    return isReplaced && this.view.program.fields.has(change.path) && change.codes[0] === found.codes[0];
  }

  private async attempt(changes: Changes): Promise<Outcome> {
    this.triesLeft -= 1;
    await this.deadline.checkpoint();
    const inspected = await this.inspected(changes);
    if (typeof inspected === 'object') {
      const isAllowed = this.options.isAllowed?.(inspected.inspected) ?? true;
      this.found.push({ changes, ...inspected, isAllowed });
    }
    const outcome = typeof inspected === 'object' ? 'holds' : inspected;
    this.outcomes.set(keyOf(changes), outcome);
    return outcome;
  }

  private async inspected(changes: Changes): Promise<{ readonly inspected: T } | 'fails' | 'refused'> {
    const writer = this.fork.begin();
    try {
      for (const change of changes) apply(writer, change);
      const inputs = await engineViewOf(writer.view).inputsFor([this.path], this.deadline);
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

function compareLists(left: readonly number[], right: readonly number[]): number {
  for (const [index, each] of left.entries()) if (each !== right[index]) return each - (right[index] ?? 0);
  return 0;
}

function arbitraryIn(changes: Changes): number {
  return changes.filter(isArbitrary).length;
}

/** The smaller ones weigh less, and of one size those whose values are asked for. */
function weightOf({ changes }: { readonly changes: Changes }): number {
  return changes.length + arbitraryIn(changes) / (changes.length + 1);
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
