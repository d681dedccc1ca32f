/** A scope in long use must not accumulate memory. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { ALL, FRAME, startWorld } from './testing/start-world.js';

const NOTES = `module notes
pub concept Note { text: Text, size: Int }
pub derive shout(n: Note, t: Text) when Note(n), let t = n.text ++ "!"
pub check known(n: Note) when shout(n, t), shout(m, t), m != n severity blocking message "twice"
pub check large(n: Note) when Note(n), n.size > 10 severity blocking message "large"
pub mutation note(text: Text, size: Int) -> Note { return insert Note { text: text, size: size } }
`;

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function bytesHeld(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The bytes that remain after repeated runs. */
async function bytesLeftBy(attempt: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < 3; time++) await attempt();
  const before = bytesHeld();
  for (let time = 0; time < 20; time++) await attempt();
  return bytesHeld() - before;
}

let count = 0;

/** About a megabyte, and different each time. */
const newText = () => `${count++} ${'x'.repeat(MIB)}`;

describe('interned texts', () => {
  it('are released after a dry run, with its conclusions', async () => {
    const { mutate } = await startWorld(NOTES);
    const left = await bytesLeftBy(() => mutate('notes::note', { text: newText(), size: 1 }, true));
    expect(left).toBeLessThan(10 * MIB);
  });

  it('are released after a refused call', async () => {
    const { mutate } = await startWorld(NOTES);
    const codes = new Set<unknown>();
    const left = await bytesLeftBy(async () => {
      // No assertion here, because it would retain the error and its texts.
      codes.add(await mutate('notes::note', { text: newText(), size: 99 }).catch(({ code }) => code));
    });
    expect(left).toBeLessThan(10 * MIB);
    expect([...codes]).toEqual(['SVC_RUNTIME_CHECK_VIOLATION']);
  });

  it('are released after an ad-hoc derive', async () => {
    const { runtime, mutate } = await startWorld(NOTES);
    await mutate('notes::note', { text: newText(), size: 1 });
    const derive = 'derive longer(t: Text) when shout(n, s), let t = s ++ "';
    const session = await runtime.enter(FRAME);
    const left = await bytesLeftBy(() =>
      session.queryAdhoc({ source: `${derive}${count++}"`, module: undefined }, {}, ALL, noDeadline),
    );
    expect(left).toBeLessThan(10 * MIB);
  });

  it('are released after a why-not of a fact', async () => {
    const { runtime, mutate } = await startWorld(NOTES);
    await mutate('notes::note', { text: newText(), size: 1 });
    const session = await runtime.enter(FRAME);
    const left = await bytesLeftBy(() => session.explain('notes::shout', ['#i1', newText()], noDeadline));
    expect(left).toBeLessThan(10 * MIB);
  });
});

it('releases a replaced module, even if the scope has a follower and no writes', async () => {
  const { runtime, mutate, load } = await startWorld(NOTES);
  await mutate('notes::note', { text: newText(), size: 1 });
  // As a stream with a reader does.
  const feed = await (await runtime.enter(FRAME)).follow(undefined);
  const read = async (): Promise<void> => {
    for await (const _news of feed.unread());
  };
  const stop = feed.onWrite(() => void read());
  const left = await bytesLeftBy(async () => {
    // Another schema, so that each scope reads the text of the note again.
    await load(NOTES.replace('size: Int }', `size: Int, more${count++}: Int? }`));
    await runtime.enter(FRAME);
  });
  stop();
  expect(left).toBeLessThan(10 * MIB);
});
