/** What another module changes, in one line. */

import type { ModuleChange } from '../../src-runtime/api/module-schemas.js';

/** True where there is nothing to tell. */
export function isEmptyChange({ declarations, relations, renames, remarks, cut }: ModuleChange): boolean {
  return [declarations, relations, renames, remarks].every(({ length }) => length === 0) && !cut;
}

export function changeWords(change: ModuleChange): string {
  const { declarations, relations, firings, renames, remarks } = change;
  const facts = relations.filter(({ kind }) => kind !== 'check');
  const sum = (side: 'gained' | 'lost') => facts.reduce((total, relation) => total + (relation[side] ?? 0), 0);
  const newFirings = relations.reduce((total, { kind, gained }) => total + (kind === 'check' ? (gained ?? 0) : 0), 0);
  const words = [
    ...(['added', 'removed', 'changed'] as const).map((word) =>
      counted(declarations.filter(({ change: each }) => each === word).length, 'declaration', word),
    ),
    counted(renames.length, 'name', 'changed over what is stored'),
    counted(sum('gained'), 'derived fact', 'gained'),
    counted(sum('lost'), 'derived fact', 'lost'),
    counted(Math.max(newFirings, firings.length), 'firing', 'new'),
    counted(remarks.length, 'remark', 'on what is stored'),
    counted(relations.filter(({ fault }) => fault !== undefined).length, 'relation', 'cannot be evaluated'),
    counted(
      relations.filter(({ gained, fault }) => gained === null && fault === undefined).length,
      'large relation',
      'of another size',
    ),
  ];
  return words.filter((word) => word !== '').join(' · ') || 'nothing changed';
}

function counted(count: number, noun: string, what: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'} ${what}`;
}
