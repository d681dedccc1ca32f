/** What an import answers that its time ends in the middle of: rather what forbids the rows than that the time was up. */

import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import { CAPABILITIES } from '../../api/schemas/health-schemas.js';
import { DeadlineExceeded } from '../../base/ports.js';
import { countingDeadline } from '../../base/testing/counting-deadline.js';
import { FRAME, startWorld } from '../testing/start-world.js';

const MODULE = `module club
pub concept Member { name: Text unique }
pub mutation admit(name: Text) { insert Member { name: name } }
`;

it('says what forbids the rows as soon as that is known, and by which rows once they are', async () => {
  const session = await (await startWorld(MODULE)).runtime.enter(FRAME);
  const rows = ['Ada', 'Bo', 'Cy', 'Ada'].map((name) => ({ name }));
  const options = { dryRun: false, granted: CAPABILITIES, keys: {} };
  const answer = async (checkpointsMax: number): Promise<string> => {
    const thrown = await session
      .importRows('club::admit', rows, options, countingDeadline(checkpointsMax))
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
