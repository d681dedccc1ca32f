/**
 * Suggests how to make a fact true, or how to end one: the smallest sets of changes of stored facts. Each is tried and
 * confirmed on a temporary fork. Guesses from abduction come first, then all other sets within limits.
 */

import { type Deadline, DeadlineExceeded, type MaybePromise } from '../../base/ports.js';
import { TooMuchWork } from '../demand/evaluate.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, relationOf } from '../evaluate/inputs.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive } from '../scheduling/drive.js';
import { inputsForSearch, inputsForTuple } from '../store/questions.js';
import { engineViewOf } from '../store/solve.js';
import type { FactStore } from '../store/store.js';
import type { StoreView } from '../store/store-view.js';
import type { FactProvenance, Program, Transaction, View } from '../types.js';
import { NONE } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { Abducer } from './abduce.js';
import { type Change, type DeclaredBlock, keyOf, StoredChanges } from './changes.js';
import { type Demanded, demandOf } from './demand.js';
import { factsLike } from './search.js';
import { exampleColumns, isArbitrary, isSimilar, type Question } from './similarity.js';
import { temporaryInputs } from './temporary.js';

export interface SuggestOptions<T> {
  /** The fact holds and should end; false by default. */
  readonly ending?: boolean;
  readonly isDeclared: FactProvenance['isDeclared'];
  /** The program of a temporary rule, if the fact is one of its facts; see `withRule`. */
  readonly extended?: Program | undefined;
  /** Changes in a set; 4 by default. */
  readonly changesMax?: number;
  /** Allowed sets to find; 5 by default. */
  readonly setsMax?: number;
  /** Sets to try; 300 by default. */
  readonly triesMax?: number;
  /**
   * Called for each found set with the states before and after it. Undefined means that the set must not be offered.
   */
  inspect(before: View, after: View, changes: readonly Change[]): Promise<T | undefined>;
  /**
   * False if the inspected set would be blocked. Such sets come last, and others are searched for in their place. True
   * by default.
   */
  isAllowed?(inspected: T): boolean;
}

export interface SuggestedSet<T> {
  readonly changes: readonly Change[];
  readonly inspected: T;
  /** Of each change, the columns with example values. Sets that differ only in these are left out. */
  readonly examples: readonly (readonly number[])[];
}

export interface Suggestions<T> {
  /**
   * Allowed sets first, then smaller ones, then those with values that rules compare with. No part of a set is enough.
   */
  readonly sets: readonly SuggestedSet<T>[];
  /**
   * True if no set is missing that is at most as large as the first (without sets: none with up to `changesMax`
   * changes), over occurring individuals and values. Not counted are sets that replace a fact which only had to go, and
   * sets that differ from a found one in arbitrary values. False if a limit was reached first, or a set could not be
   * evaluated.
   */
  readonly complete: boolean;
  /** Declared facts that would have to be different, as far as guesses found them. */
  readonly declared: readonly DeclaredBlock[];
}

type Changes = readonly Change[];

/**
 * The fact does not hold in the view, unless it should end. At the deadline, and once its questions cost too much, it
 * returns what was found. Throws EvaluationFault if its rules cannot be evaluated.
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
    if (!(error instanceof DeadlineExceeded || error instanceof TooMuchWork)) throw error;
  } finally {
    fork.close();
  }
  return search.suggestions();
}

/** The share of tries for single changes. The rest is for larger guesses. */
const SINGLES_SHARE = 2 / 3;

/** Single changes to try if there are too many to try all. */
const STRAYS_MAX = 50;

/** Blocked sets that differ in arbitrary values only: this many are tried, because others may be allowed. */
const BLOCKED_SIMILAR_MAX = 8;

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
  /** All sets of up to this many changes have been tried. */
  private exhausted = 0;
  /**
   * A set could not be evaluated. A change that makes nothing true alone may fix that, and such changes are not listed.
   */
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
    const program = options.extended ?? view.program;
    this.question = { program, own: new Set(individualsOf(program, path, codes)) };
    this.setsMax = options.setsMax ?? 5;
    this.changesMax = options.changesMax ?? 4;
    this.triesLeft = options.triesMax ?? 300;
  }

  /** Tries one size after the other until sets are found; of the next size only guesses. */
  async run(): Promise<void> {
    const { path, codes, deadline } = this;
    const { extended } = this.options;
    const inputs =
      extended === undefined
        ? await inputsForSearch(this.view, path, this.values, deadline, true)
        : await temporaryInputs(this.view, extended, path, deadline);
    const abducible = new StoredChanges(inputs, this.options.isDeclared);
    const abducer = new Abducer(inputs, abducible);
    // Here every change is listed, whatever its purpose, so declared facts found here block nothing.
    const stored = new StoredChanges(inputs, this.options.isDeclared);
    let singles: Changes | undefined;
    for (let size = 1; size <= this.changesMax && !this.isOver(); size++) {
      const smallest = this.allowed[0]?.changes.length ?? size;
      if (size > smallest + 1) return;
      const guesses = await drive(this.guesses(abducer, size), derivingDeadline(deadline, path));
      this.declared = abducible.declared;
      for (const changes of this.byRelevance(guesses.filter(({ length }) => length === size)))
        await this.offer(changes);
      if (this.isOver() || size > smallest) continue;
      singles ??= this.byRelevance(
        (await drive(everySingle(inputs, stored, demandOf(inputs, path, codes, this.goal)), deadline)).map((change) => [
          change,
        ]),
      ).flat();
      await this.exhaust(singles, size, stored);
    }
  }

  /** With the fact, if it holds. */
  private inputsOf(view: StoreView): MaybePromise<Inputs> {
    const { extended } = this.options;
    return extended === undefined
      ? inputsForTuple(view, this.path, this.values, this.deadline, false)
      : temporaryInputs(view, extended, this.path, this.deadline);
  }

  private get values(): readonly Value[] {
    const endpoints = this.view.program.relations.get(this.path)?.endpoints ?? [];
    return endpoints.map(({ type }, column) => this.view.interner.decode(type, this.codes[column] ?? NONE));
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
    // Leaves out sets like an allowed one, and keeps one of several sets that are alike.
    const told = [...allowed];
    for (const each of this.found.filter(({ isAllowed }) => !isAllowed))
      if (!told.some(({ changes }) => isSimilar(this.question, changes, each.changes))) told.push(each);
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

  /** Tries every set of the size, if there are few enough. */
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
   * Sets with values that a rule compares with come first. Then sets that name more of the fact's individuals, because
   * they affect others less, and among those the ones with fewer facts that relate an individual to itself. But the
   * first set that changes certain relations comes before the second set that changes the same ones, because it is a
   * different solution.
   */
  private byRelevance(sets: readonly Changes[]): Changes[] {
    const { own } = this.question;
    const orderOf = (changes: Changes): readonly number[] => {
      const named = changes.map(({ path, codes }) => individualsOf(this.question.program, path, codes));
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

  /** Tries the set, its parts first. */
  private async offer(changes: Changes): Promise<void> {
    for (const part of [...parts(changes), changes]) {
      if (this.isNeedless(part) || this.isRepeat(part)) return;
      if (this.isOver()) return;
      const outcome = this.outcomes.get(keyOf(part)) ?? (await this.attempt(part));
      // A set that works but must not be offered needs no further changes either.
      if (outcome !== 'fails') return;
    }
  }

  /** True if it or a part of it has been found. */
  private isNeedless(changes: Changes): boolean {
    const does = (found: Change): boolean => changes.some((change) => this.doesAtLeast(change, found));
    return this.found.some((each) => each.changes.every(does));
  }

  /** True if it contains a found set, apart from arbitrary values. */
  private isRepeat(changes: Changes): boolean {
    const like = this.found.filter((found) => isSimilar(this.question, found.changes, changes));
    return like.some(({ isAllowed }) => isAllowed) || like.length >= BLOCKED_SIMILAR_MAX;
  }

  /** True if it is the same change, or sets another value on a field that only had to lose its present one. */
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
      const inputs = await this.inputsOf(engineViewOf(writer.view));
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

/** Smaller sets first, then those with values that rules compare with. */
function weightOf({ changes }: { readonly changes: Changes }): number {
  return changes.length + arbitraryIn(changes) / (changes.length + 1);
}

function individualsOf(program: Program, path: string, codes: readonly number[]): number[] {
  const endpoints = program.relations.get(path)?.endpoints ?? [];
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

/** Facts of one pattern to list for removal. */
const REMOVED_MAX = 400;

function combinations(count: number, size: number): number {
  let product = 1;
  for (let index = 0; index < size; index++) product = (product * Math.max(count - index, 0)) / (index + 1);
  return product;
}

/** Every set of the size without contradictions. */
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

/** Its proper, non-empty subsets, small ones first. */
function parts(changes: Changes): Changes[] {
  const all: Changes[] = [];
  for (let bits = 1; bits < 2 ** changes.length - 1; bits++) {
    all.push(changes.filter((_, index) => (bits >> index) % 2 === 1));
  }
  return all.sort((left, right) => left.length - right.length);
}
