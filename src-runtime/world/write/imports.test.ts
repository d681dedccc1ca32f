/** Deadlines during an import. A check that refuses rows is reported rather than the deadline. */

import { expect, it } from 'vitest';
import { CAPABILITIES } from '../../api/capabilities.js';
import { ApiError } from '../../api/errors.js';
import { DeadlineExceeded } from '../../base/ports.js';
import { countingDeadline } from '../../base/testing/counting-deadline.js';
import { FRAME, startWorld } from '../testing/start-world.js';

const MODULE = `module club
pub concept Member { name: Text unique }
pub mutation admit(name: Text) { insert Member { name: name } }
`;

it('reports the refusing check at the deadline, with the failing rows once they are known', async () => {
  const session = await (await startWorld(MODULE)).runtime.enter(FRAME);
  const rows = ['Ada', 'Bo', 'Cy', 'Ada'].map((name) => ({ name }));
  const options = { dryRun: false, granted: CAPABILITIES, keys: {} };
  const answer = async (checkpointsMax: number): Promise<string> => {
    const thrown = await session
      .importRows({ mutation: 'club::admit' }, rows, options, countingDeadline(checkpointsMax))
      .catch((error) => error);
    if (thrown instanceof DeadlineExceeded) return 'SVC_RUNTIME_REQUEST_TIMEOUT of no row';
    if (!(thrown instanceof ApiError)) throw thrown;
    return `${thrown.code} ${thrown.details['row'] ?? 'of no row'}`;
  };
  const answers = new Set<string>();
  for (let checkpointsMax = 0; !answers.has('SVC_RUNTIME_CHECK_VIOLATION 3'); checkpointsMax++)
    answers.add(await answer(checkpointsMax));
  expect([...answers]).toEqual([
    'SVC_RUNTIME_REQUEST_TIMEOUT of no row',
    'SVC_RUNTIME_CHECK_VIOLATION of no row',
    'SVC_RUNTIME_CHECK_VIOLATION 3',
  ]);
});

it('reports the rows that failed before the deadline, or the deadline alone, and keeps nothing', async () => {
  const { runtime, query } = await startWorld(`${MODULE}pub query names() -> [Text] { select m.name where Member(m) }`);
  const session = await runtime.enter(FRAME);
  const rows = [{ name: 7 }, ...['Ada', 'Bo', 'Cy', 'Di'].map((name) => ({ name }))];
  const outcomes = new Set<string>();
  for (let checkpointsMax = 0; !outcomes.has('all rows tried'); checkpointsMax++) {
    const thrown = await session
      .importRows(
        { mutation: 'club::admit' },
        rows,
        { dryRun: false, granted: CAPABILITIES, keys: {} },
        countingDeadline(checkpointsMax),
      )
      .catch((error: unknown) => error);
    if (thrown instanceof ApiError && thrown.code !== 'SVC_RUNTIME_REQUEST_TIMEOUT') {
      expect(thrown.details['failures']).toEqual([expect.objectContaining({ row: 0 })]);
      outcomes.add(thrown.details['cut'] === true ? 'the failed row, cut' : 'all rows tried');
    } else outcomes.add('the deadline');
    expect(await query('club::names')).toEqual([]);
  }
  expect([...outcomes]).toEqual(['the deadline', 'the failed row, cut', 'all rows tried']);
});
