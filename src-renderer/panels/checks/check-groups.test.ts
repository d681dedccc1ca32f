/** Checks are grouped by urgency and found by name, message or description. */

import { expect, it } from 'vitest';
import type { ShownCheck } from './check-groups.js';
import { checkGroups } from './check-groups.js';

const check = (
  name: string,
  severity: 'blocking' | 'warning',
  firings: number | null,
  message = '',
  builtIn = false,
): ShownCheck => ({
  name,
  state: { check: `m::${name}`, severity, firings },
  declared: {
    path: `m::${name}`,
    public: true,
    span: { file: 'm', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: 0 } },
    severity,
    builtIn,
    message,
    parameters: [],
  },
});

const checks = [
  check('late', 'warning', 2, '{p.name} pays late'),
  check('twice', 'blocking', 1),
  check('broken', 'warning', null),
  check('one kin', 'blocking', 0, '', true),
  check('fine', 'blocking', 0),
  check('name required', 'blocking', 3, '', true),
];
const names = (filter: string, show?: Parameters<typeof checkGroups>[2]) =>
  checkGroups(checks, filter, show).map(({ title, checks: members }) => [title, ...members.map(({ name }) => name)]);

it('orders groups: not evaluable, failing (blocking before warning), passing, built-in', () => {
  expect(names('')).toEqual([
    ['Cannot be evaluated', 'broken'],
    ['Failing', 'twice', 'late'],
    ['Passing', 'fine'],
    ['Built-in', 'name required', 'one kin'],
  ]);
});

it('finds a check by its message, and omits empty groups', () => {
  expect(names('PAYS')).toEqual([['Failing', 'late']]);
});

it('filters by severity', () => {
  expect(names('', 'blocking')).toEqual([
    ['Failing', 'twice'],
    ['Passing', 'fine'],
    ['Built-in', 'name required', 'one kin'],
  ]);
});
