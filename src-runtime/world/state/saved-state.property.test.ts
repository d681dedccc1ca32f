/**
 * A scope that is opened from its saved state and the history since equals a replay of the whole history: every fact, proof, entity and
 * event, in every fork, and the next numbers.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import type { EventStore } from '../../storage/event-store.js';
import { openLocked } from '../../storage/sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from '../../storage/testing/fake-disk.js';
import { rememberingLog } from '../../storage/testing/histories.js';
import type { Runtime } from '../contract/runtime.js';
import { changedStore } from '../testing/changed-store.js';
import { attempt, FIRM, type FirmWrite, firmWrites, stateOf } from '../testing/firm.js';
import { FRAME, startWorld, type TestWorld } from '../testing/start-world.js';
import { canSave, savedStateOf } from './saved-state.js';
import type { Session } from './session.js';

/** With values of every kind that has a table. */
const VALUES = `${FIRM}pub concept Reading { no: Int, level: Decimal, at: DateTime, note: Text?, by: Person? }
pub relation noted(r: Reading, text: Text, day: Date)
pub mutation read(no: Int, level: Decimal, at: DateTime, day: Date, note: Text?, by: Person?) {
  let r = insert Reading { no: no, level: level, at: at, note: note, by: by }
  insert noted(r, "seen", day)
}`;

/** The second keeps the stored declarations, the third does not. */
const MODULES = [
  VALUES,
  `${VALUES}\npub relation trusts(a: Person, b: Person)`,
  VALUES.replace('fact knows(@eve, @eve)', ''),
];

type Step = FirmWrite | { readonly step: 'save' } | { readonly step: 'open'; readonly module: number };

const reading = fc.record({
  no: fc.constantFrom(1, -2_000_000_000, 4_000_000_000_000),
  level: fc.constantFrom('1.50', '-0.001', '12345678901234567890.5'),
  at: fc.constantFrom('2026-01-31T10:00:00Z', '1969-07-20T20:17:40Z'),
  day: fc.constantFrom('2026-01-31', '1969-07-20'),
  note: fc.constantFrom(null, 'a "note"', 'ü😀'),
  by: fc.constantFrom(null, '@eve', '#i1'),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  ...firmWrites,
  {
    weight: 5,
    arbitrary: reading.map((args) => ({ step: 'call' as const, fork: 'main', path: 'firm::read', args })),
  },
  { weight: 6, arbitrary: fc.constant({ step: 'save' as const }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('open' as const), module: fc.constantFrom(0, 0, 0, 1, 2) }) },
);

const isCallOnMain = (each: FirmWrite) => each.step === 'call' && each.fork === 'main';
const onMain = fc.oneof(...firmWrites).filter(isCallOnMain);
/** Saves while a fork is open that sees facts which `main` has changed since. */
const openFork: fc.Arbitrary<readonly Step[]> = fc
  .record({
    fork: fc.constantFrom('f', 'g', 'h'),
    from: fc.constantFrom('main', 'main', 'f'),
    writes: fc.array(onMain),
  })
  .map(({ fork, from, writes }) => [
    { step: 'create', fork, from },
    ...writes,
    { step: 'save' },
    { step: 'open', module: 0 },
  ]);
const steps = fc
  .array(fc.oneof({ weight: 30, arbitrary: step.map((each) => [each]) }, { weight: 2, arbitrary: openFork }), {
    minLength: 20,
    maxLength: 50,
  })
  .map((all) => all.flat());

it('equals a replay of the history', { timeout: 300_000 }, async () => {
  let restored = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      restored += await follow(all);
    }),
    { numRuns: runs(12), interruptAfterTimeLimit: 120_000 },
  );
  expect(restored).toBeGreaterThan(10);
});

/** Returns how often a scope was opened from its saved state. */
async function follow(steps: readonly Step[]): Promise<number> {
  const unlocked = { check: async () => undefined, release: async () => undefined };
  const disk = new FakeDisk();
  const store = await openLocked({ directory: FAKE_DIRECTORY, log: rememberingLog() }, disk.files, unlocked);
  let world = await startWorld(VALUES, { store });
  let restored = 0;
  for (const each of [...steps, { step: 'open' as const, module: 0 }]) {
    if (each.step === 'save') await save(world, store);
    else if (each.step !== 'open') await attempt(world, each);
    else {
      const source = MODULES[each.module] ?? '';
      // A restart, and then another module: facts that do not fit it any more are refused.
      if (
        each.module !== 0 &&
        !(await world.load(source).then(
          () => true,
          () => false,
        ))
      )
        continue;
      const replayed = await startWorld(source, {
        accept: true,
        store: changedStore(store, { savedState: async () => undefined }),
      });
      world = await startWorld(source, { store, accept: true });
      expect(await stateOf(world)).toEqual(await stateOf(replayed));
      restored += (await scopeOf(world)).savedEvents > 0 ? 1 : 0;
    }
  }
  await store.close();
  return restored;
}

async function save(world: TestWorld, store: EventStore): Promise<void> {
  const scope = await scopeOf(world);
  if (!canSave(scope)) return;
  const { txn, parts } = savedStateOf(scope, noDeadline);
  await store.saveState(scope.scopeId, txn, parts);
}

async function scopeOf({ runtime }: TestWorld) {
  const plain = Object.getPrototypeOf(runtime) as Runtime<Session>;
  return (await plain.enter(FRAME)).scope;
}
