import { describe, expect, it } from 'vitest';
import type { ModuleChange, RelationChange } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';
import { changeSummary, newViolations } from './change-summary.js';

function changeOf(firings: readonly Firing[], unlisted: readonly RelationChange[] = []): ModuleChange {
  const checks = [...new Set(firings.map(({ check }) => check))].map((check) =>
    changed(check, 'check', firings.filter((firing) => firing.check === check).length),
  );
  return {
    from: 'a',
    to: 'b',
    declarations: [{ change: 'changed', kind: 'derive', path: 'm::reach', public: true }],
    relations: [changed('m::reach', 'derived', 1), ...checks, ...unlisted],
    firings: [...firings],
    renames: [],
    remarks: [],
    cut: false,
  };
}

function changed(relation: string, kind: RelationChange['kind'], gained: number): RelationChange {
  return { relation, kind, before: 0, after: gained, gained, lost: 0, examples: [] };
}

function firing(check: string, severity: Firing['severity'], message: string): Firing {
  const place = { line: 1, column: 1, offset: 0 };
  return { check, severity, message, tuple: { message }, span: { file: 'm.entail', start: place, end: place } };
}

describe('a reload', () => {
  it('names a new blocking violation first, with its check', () => {
    const change = changeOf([
      firing('m::late', 'warning', 'Bo is late'),
      firing('m::full', 'blocking', 'Lund is full'),
    ]);
    const news = newViolations(change);
    expect(news).toEqual({
      severity: 'blocking',
      text: '1 new blocking violation',
      message: 'Lund is full',
      check: 'm::full',
      count: 1,
    });
    expect(changeSummary(change, news)).toBe('1 declaration changed · 1 conclusion added · 1 new violation');
  });

  it('counts violations, and names the check only if there is one', () => {
    const twice = [firing('m::full', 'warning', 'Lund is full'), firing('m::full', 'warning', 'Graz is full')];
    expect(newViolations(changeOf(twice))).toMatchObject({
      text: '2 new warning violations',
      check: 'm::full',
    });
    const others = newViolations(changeOf([...twice, firing('m::late', 'warning', 'Bo is late')]));
    expect(others).toMatchObject({ text: '3 new warning violations', message: 'Lund is full', count: 3 });
    expect(others?.check, 'they are listed together').toBeUndefined();
  });

  it('counts violations that are not listed', () => {
    const change = changeOf([], [changed('m::Lease.code', 'check', 2)]);
    expect(newViolations(change)).toBeUndefined();
    expect(changeSummary(change)).toBe('1 declaration changed · 1 conclusion added · 2 new violations');
  });
});
