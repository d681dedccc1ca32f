/** What a scope that is used for long must not gather. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { startWorld } from './testing/start-world.js';

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

it('the texts of dry runs and of refused calls go with them, those that follow too', async () => {
  const { mutate } = await startWorld(NOTES);
  const codes = new Set<unknown>();
  let count = 0;
  const text = () => `${count++} ${'x'.repeat(MIB)}`;
  const attempts = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await mutate('notes::note', { text: text(), size: 1 }, true);
      // Not by an assertion, which would keep the error and all that it tells.
      codes.add(await mutate('notes::note', { text: text(), size: 99 }).catch(({ code }) => code));
    }
  };
  await attempts(3);
  const before = bytesHeld();
  await attempts(20);
  expect(bytesHeld() - before).toBeLessThan(10 * MIB);
  expect([...codes]).toEqual(['SVC_RUNTIME_CHECK_VIOLATION']);
});
