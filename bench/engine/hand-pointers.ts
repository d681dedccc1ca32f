/** Hand-written Andersen points-to analysis, with a worklist per relation and an adjacency list per join. */

import { IntList, IntSet } from './int-collections.js';
import { type Summary, summaryOf } from './peer.js';
import { type Row, rowsOf, type Workload } from './workloads.js';

type Pair = readonly [number, number];
type Triple = readonly [number, number, number];

/** Derives, and returns a function that summarizes the result outside the measured time. */
export function pointsToByHand({ inputs, limit }: Workload): () => Summary {
  const analysis = new Analysis(inputs, limit);
  analysis.run();
  return () => summaryOf([analysis.points(), analysis.holds()]);
}

class Analysis {
  /** Exclusive upper bounds of objects and fields, so that a fact packs into one number. */
  private readonly objects: number;
  private readonly fields: number;
  private readonly allocates: readonly Pair[];
  private readonly targetsOf: number[][];
  private readonly loadsFrom: Pair[][];
  private readonly storesInto: Pair[][];
  private readonly storesOf: Pair[][];
  private readonly loadTargets = new Map<number, number[]>();
  private readonly objectsOf: number[][];
  private readonly variablesOf: number[][];
  private readonly heldIn = new Map<number, number[]>();
  private readonly knownPoints = new IntSet();
  private readonly knownHolds = new IntSet();
  private readonly pointsList = new IntList();
  private readonly holdsList = new IntList();

  constructor(inputs: Workload['inputs'], variables: number) {
    this.allocates = rowsOf(inputs, 'allocates') as readonly Pair[];
    const loads = rowsOf(inputs, 'loads') as readonly Triple[];
    const stores = rowsOf(inputs, 'stores') as readonly Triple[];
    this.objects = above(this.allocates, 1);
    this.fields = Math.max(above(loads, 2), above(stores, 1));
    this.targetsOf = lists(variables);
    this.loadsFrom = lists(variables);
    this.storesInto = lists(variables);
    this.storesOf = lists(variables);
    this.objectsOf = lists(variables);
    this.variablesOf = lists(this.objects);
    for (const [target, source] of rowsOf(inputs, 'assigns') as readonly Pair[]) this.targetsOf[source]?.push(target);
    for (const [target, base, field] of loads) {
      this.loadsFrom[base]?.push([target, field]);
      append(this.loadTargets, base * this.fields + field, target);
    }
    for (const [base, field, source] of stores) {
      this.storesInto[base]?.push([field, source]);
      this.storesOf[source]?.push([base, field]);
    }
  }

  run(): void {
    const { pointsList, holdsList } = this;
    for (const [variable, object] of this.allocates) this.addPoints(variable, object);
    let [nextPoints, nextHolds] = [0, 0];
    while (nextPoints < pointsList.length || nextHolds < holdsList.length) {
      if (nextPoints < pointsList.length) this.followPoints(pointsList.items[nextPoints++] as number);
      else this.followHolds(holdsList.items[nextHolds++] as number);
    }
  }

  private followPoints(key: number): void {
    const { objects, fields } = this;
    const object = key % objects;
    const variable = (key - object) / objects;
    for (const target of this.targetsOf[variable] as number[]) this.addPoints(target, object);
    for (const [target, field] of this.loadsFrom[variable] as Pair[]) {
      for (const held of this.heldIn.get(object * fields + field) ?? []) this.addPoints(target, held);
    }
    for (const [field, source] of this.storesInto[variable] as Pair[]) {
      for (const stored of this.objectsOf[source] as number[]) this.addHolds(object, field, stored);
    }
    for (const [base, field] of this.storesOf[variable] as Pair[]) {
      for (const owner of this.objectsOf[base] as number[]) this.addHolds(owner, field, object);
    }
  }

  private followHolds(key: number): void {
    const { objects, fields } = this;
    const object = key % objects;
    const place = (key - object) / objects;
    const field = place % fields;
    for (const base of this.variablesOf[(place - field) / fields] as number[]) {
      for (const target of this.loadTargets.get(base * fields + field) ?? []) this.addPoints(target, object);
    }
  }

  private addPoints(variable: number, object: number): void {
    const key = variable * this.objects + object;
    if (!this.knownPoints.add(key)) return;
    this.objectsOf[variable]?.push(object);
    this.variablesOf[object]?.push(variable);
    this.pointsList.push(key);
  }

  private addHolds(owner: number, field: number, object: number): void {
    const place = owner * this.fields + field;
    if (!this.knownHolds.add(place * this.objects + object)) return;
    append(this.heldIn, place, object);
    this.holdsList.push(place * this.objects + object);
  }

  *points(): Generator<Pair> {
    for (let index = 0; index < this.pointsList.length; index++) {
      const key = this.pointsList.items[index] as number;
      const object = key % this.objects;
      yield [(key - object) / this.objects, object];
    }
  }

  *holds(): Generator<Triple> {
    for (let index = 0; index < this.holdsList.length; index++) {
      const key = this.holdsList.items[index] as number;
      const object = key % this.objects;
      const place = (key - object) / this.objects;
      const field = place % this.fields;
      yield [(place - field) / this.fields, field, object];
    }
  }
}

/** One more than the greatest number in the column. */
function above(rows: readonly Row[], column: number): number {
  return rows.reduce((most, row) => Math.max(most, (row[column] as number) + 1), 0);
}

function lists<Item>(count: number): Item[][] {
  return Array.from({ length: count }, () => []);
}

function append(map: Map<number, number[]>, key: number, item: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
