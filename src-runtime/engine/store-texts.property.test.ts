import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { RUNS_ALL, runs } from '../base/testing/property-runs.js';
import { loadProgram } from './program/program.js';
import { FactStore } from './store/store.js';
import { artifact, atom, bind, clause, constant, relation, rule, TEXT, v } from './testing/ir.js';
import type { RelationReader, Transaction, View } from './types.js';
import { Interner } from './values/codec.js';

/** Derived texts from one relation, from another one, and from both. A writer may change what one of them reads. */
const joined = (...operands: readonly (string | null)[]) => ({
  op: 'concat' as const,
  operands: operands.map((name) => (name === null ? constant(TEXT, '!') : v(name))),
});
const PROGRAM = loadProgram(
  artifact({
    schema: { relations: [relation('word', TEXT), relation('other', TEXT)] },
    rules: [
      rule('loud', [TEXT], [clause(['y'], [atom('word', 'x'), bind('y', joined('x', null))], { x: TEXT, y: TEXT })]),
      rule(
        'louder',
        [TEXT],
        [clause(['y'], [atom('other', 'x'), bind('y', joined('x', null, null))], { x: TEXT, y: TEXT })],
      ),
      rule(
        'pair',
        [TEXT],
        [
          clause(['z'], [atom('loud', 'x'), atom('other', 'y'), bind('z', joined('x', 'y'))], {
            x: TEXT,
            y: TEXT,
            z: TEXT,
          }),
        ],
      ),
    ],
  }),
);

interface State {
  readonly word: readonly string[];
  readonly other: readonly string[];
}

/** The conclusions, and the texts of their facts. */
function consequences({ word, other }: State): Readonly<Record<string, readonly string[]>> {
  const loud = word.map((text) => `${text}!`);
  return {
    word,
    other,
    loud,
    louder: other.map((text) => `${text}!!`),
    pair: [...new Set(loud.flatMap((left) => other.map((right) => left + right)))],
  };
}

const texts = fc.constantFrom('a', 'b', 'a!', '!', 'b!!', 'a!b', 'c');
const paths = fc.constantFrom('loud', 'louder', 'pair');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('insert', 'delete'),
      path: fc.constantFrom('word', 'other'),
      text: texts,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('rollback', 'commit', 'prepare', 'fork'),
      path: fc.constant(''),
      text: fc.constant(''),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('derive', 'read', 'ask', 'askAside'), path: paths, text: texts }),
  },
);

describe('texts of rolled back facts', () => {
  it('stay correct for open readers, and are dropped if no reader uses them', async () => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const interner = new Interner(PROGRAM);
        let store = new FactStore(PROGRAM, interner);
        let committed: State = { word: [], other: [] };
        let written = committed;
        let prepared: { readonly transaction: Transaction; readonly state: State } | undefined;
        let transaction = store.begin();
        /** Codes that readers keep. */
        const passing = interner.passing();
        const encoded: { readonly code: number; readonly text: string }[] = [];
        /** Texts of readable facts, and texts that a reader encoded. */
        const met = new Set<string>();
        /** Texts that the writer has met. */
        const tried = new Set<string>();
        const meet = (state: State, to = met): void => {
          for (const known of Object.values(consequences(state)).flat()) to.add(known);
        };
        const check = async (view: View, state: State, path: string): Promise<void> => {
          const textsOf = (reader: RelationReader): unknown[] =>
            [...reader.rows()].map((row) => view.interner.decode(TEXT, row[0] as number)).sort();
          expect(textsOf(await view.materialise(path, noDeadline))).toEqual(
            [...(consequences(state)[path] ?? [])].sort(),
          );
        };
        for (const { kind, path, text } of steps) {
          if (kind === 'insert' || kind === 'delete') {
            const key = path as keyof State;
            const code = transaction.view.interner.encode(TEXT, text);
            tried.add(text);
            const rest = written[key].filter((known) => known !== text);
            written = { ...written, [key]: kind === 'insert' ? [...rest, text] : rest };
            if (kind === 'insert') transaction.insert(path, [code]);
            else transaction.delete(path, [code]);
          } else if (kind === 'derive') {
            await check(transaction.view, written, path);
            meet(written, tried);
          } else if (kind === 'read') {
            const view = store.view();
            await check(view, committed, path);
            view.release();
            meet(committed);
            // A text that only a writer tried stays once a reader uses it.
            met.add(text);
          } else if (kind === 'askAside') {
            const view = store.viewAside();
            const reader = await view.materialise(path, noDeadline);
            const code = view.interner.encode(TEXT, text);
            expect(reader.has([code])).toBe(consequences(committed)[path]?.includes(text));
            expect(view.interner.decode(TEXT, code)).toBe(text);
            view.release();
            meet(committed);
            // A text that only a writer tried stays once a reader uses it.
            met.add(text);
          } else if (kind === 'ask') {
            encoded.push({ code: passing.encode(TEXT, text), text });
            met.add(text);
          } else {
            if (kind === 'rollback') transaction.rollback();
            else transaction.prepare();
            if (kind !== 'rollback') {
              for (const text of tried) met.add(text);
              if (prepared !== undefined) prepared.transaction.commit();
              committed = prepared?.state ?? committed;
              prepared = { transaction, state: written };
            }
            if (kind !== 'prepare' && kind !== 'rollback') {
              prepared?.transaction.commit();
              committed = prepared?.state ?? committed;
              prepared = undefined;
            }
            if (kind === 'fork') store = store.fork();
            // Facts derived for an undone state may stay if it changed nothing that they read.
            meet(prepared?.state ?? committed);
            written = prepared?.state ?? committed;
            tried.clear();
            const left = interner.texts.filter((known) => known !== undefined);
            expect(left.filter((known) => !met.has(known as string))).toEqual([]);
            dropped += interner.texts.length - left.length;
            transaction = store.begin();
          }
        }
        transaction.rollback();
        for (const { code, text } of encoded) expect(passing.decode(TEXT, code)).toBe(text);
        const view = store.view();
        for (const path of ['loud', 'louder', 'pair']) await check(view, committed, path);
        view.release();
      }),
      { numRuns: runs(300) },
    );
    if (RUNS_ALL) expect(dropped).toBeGreaterThan(100);
  });
});
