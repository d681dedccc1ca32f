/** Rejects a bundle whose module was changed after the save. */

import { expect, it } from 'vitest';
import { compile } from '../../../../src-runtime/compiler/index.js';
import { damageOf } from './bundle-damage.js';

it('rejects a module that does not match its hash', () => {
  const { artifact } = compile([{ file: 'm.entail', text: 'module m\npub concept Person { name: Text }\n' }]);
  if (artifact === undefined) throw new Error('the module has errors');
  const read = JSON.parse(JSON.stringify(artifact));
  expect(damageOf({ artifact: read })).toBeUndefined();
  expect(damageOf({ artifact: { ...read, modules: ['n'] } })).toContain('was changed after the save');
  expect(damageOf({ artifact: { ...read, modules: ['\ud800'] } })).toContain('was changed after the save');
});
