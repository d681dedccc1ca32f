/** What the log says of a module that was not loaded. */

import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import { loggedFailure } from './watch.js';

it('names the stored facts that a change of the module does not fit, and no place in the server', () => {
  const incompatibilities = [{ declaration: 'm::Site', reason: 'was removed', facts: 3 }];
  const refusal = new ApiError('SVC_RUNTIME_MODULE_INCOMPATIBLE', 'It does not fit.', { incompatibilities });
  expect(loggedFailure(refusal)).toEqual({
    failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE', message: 'It does not fit.', details: { incompatibilities } },
  });
  const broken = new Error('out of memory');
  expect(loggedFailure(broken)).toEqual({ err: broken });
});
