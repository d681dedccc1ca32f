import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import { loggedFailure } from './watch.js';

it('logs the stored facts that do not fit a changed module, without a stack', () => {
  const incompatibilities = [{ declaration: 'm::Site', reason: 'was removed', facts: 3 }];
  const refusal = new ApiError('SVC_RUNTIME_MODULE_INCOMPATIBLE', 'It does not fit.', { incompatibilities });
  expect(loggedFailure(refusal)).toEqual({
    failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE', message: 'It does not fit.', details: { incompatibilities } },
  });
  const broken = new Error('out of memory');
  expect(loggedFailure(broken)).toEqual({ err: broken });
});
