/** The recipes of the documentation, run on facts. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { runs } from '../base/testing/property-runs.js';
import { modulesOf, textOfPage } from '../compiler/testing/documented-modules.js';
import { FRAME, startWorld } from './testing/start-world.js';

const [recipes = ''] = modulesOf(textOfPage('recipes.md'));

it('ranks the winning and losing positions of a game', async () => {
  const game = fc.array(fc.tuple(fc.nat(23), fc.nat(23)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(game, async (moves) => {
      const positions = Array.from({ length: 24 }, (_, at) => `individual p${at}: Position { name: "p${at}" }`);
      const facts = moves.map(([from, to]) => `fact move(@p${from}, @p${to})`);
      const read = await startRecipes([...positions, ...new Set(facts)].join('\n'));
      const expected = ranksOf(24, moves);
      const ranked = (isWon: (rank: number) => boolean) =>
        sorted([...expected].filter(([, rank]) => isWon(rank)).map(([at, rank]) => [`@workshop::p${at}`, rank]));
      expect(await read('won')).toEqual(ranked((rank) => rank % 2 === 1));
      expect(await read('lost')).toEqual(ranked((rank) => rank % 2 === 0));
    }),
    { numRuns: runs(3) },
  );
});

it('finds shortest ways around a cycle, and their places', async () => {
  const places = ['a', 'b', 'c', 'd'].map((name) => `individual ${name}: Place { name: "${name}" }`);
  const roads = ['@a, @b, 1', '@b, @c, 1', '@c, @a, 1', '@c, @d, 1', '@a, @d, 5'].map((road) => `fact road(${road})`);
  const read = await startRecipes([...places, ...roads].join('\n'));
  const fromA = ([from, to]: readonly unknown[]) => from === '@workshop::a' && to === '@workshop::d';
  expect((await read('distance')).filter(fromA)).toEqual([['@workshop::a', '@workshop::d', 3]]);
  expect((await read('onWay')).filter(fromA).map(([, , place, km]) => [place, km])).toEqual([
    ['@workshop::b', 1],
    ['@workshop::c', 2],
    ['@workshop::d', 3],
  ]);
});

it('gives the machines of a network the least serial number of them', async () => {
  const machines = [4, 2, 9, 5].map((serial) => `individual m${serial}: Machine { serial: ${serial} }`);
  const read = await startRecipes([...machines, 'fact cable(@m9, @m4)', 'fact cable(@m9, @m2)'].join('\n'));
  expect(await read('networkSize')).toEqual([
    [2, 3],
    [5, 1],
  ]);
});

it('starts a task after all that it waits for', async () => {
  const tasks = ['a', 'b', 'c'].map((name, at) => `individual ${name}: Task { name: "${name}", hours: ${at + 1} }`);
  const read = await startRecipes([...tasks, 'fact waitsFor(@c, @a)', 'fact waitsFor(@c, @b)'].join('\n'));
  expect((await read('starts')).map(([, hour]) => hour)).toEqual([0, 0, 2]);
});

/** Adds facts to the module of the recipes. Returns how to list a relation, sorted. */
async function startRecipes(facts: string) {
  const { runtime } = await startWorld(`${recipes}\n${facts}`);
  return async (relation: string) => {
    const session = await runtime.enter(FRAME);
    const { result } = await session.relation(
      `workshop::${relation}`,
      { limit: undefined, page: undefined },
      noDeadline,
    );
    return sorted(result.map(({ tuple }) => tuple));
  };
}

function sorted<Row>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** By position, the moves until the end if the winner hurries and the loser delays: odd for a won position. Without drawn ones. */
function ranksOf(count: number, moves: readonly (readonly [number, number])[]): Map<number, number> {
  const ranks = new Map<number, number>();
  const targets = (at: number) => moves.filter(([from]) => from === at).map(([, to]) => to);
  for (let rank = 0; rank <= 2 * count; rank++) {
    for (let at = 0; at < count; at++) {
      if (ranks.has(at)) continue;
      const next = targets(at).map((to) => ranks.get(to));
      const isRanked =
        rank % 2 === 1
          ? next.includes(rank - 1)
          : next.every((other) => other !== undefined && other < rank && other % 2 === 1);
      if (isRanked) ranks.set(at, rank);
    }
  }
  return ranks;
}
