/** Choices for names that are stored but missing from the text: the new name, or deleted. */

import { Select } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Rename } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { OfferedRename } from '../../../model/facts/failure.js';
import styles from '../module.module.css';

interface RenameChoicesProps {
  readonly lines: readonly OfferedRename[];
  readonly names: ReadonlyMap<string, string>;
  readonly onSelect: (from: string, to: string) => void;
}

export function RenameChoices({ lines, names, onSelect }: RenameChoicesProps) {
  return (
    <>
      <p>Just renamed? Stored facts move to the new name, on every fork and with their history.</p>
      <div className={styles.renameLines}>
        {lines.map(({ from, to }) => (
          <Fragment key={from}>
            <span className="mono">{from}</span>
            <span className="dim">is now</span>
            <Select
              aria-label={`New name of ${from}`}
              className="mono"
              data={[...to.map((path) => ({ value: path, label: path })), { value: DELETED, label: 'deleted' }]}
              value={names.get(from) ?? DELETED}
              allowDeselect={false}
              searchable={to.length > SEARCHED_FROM}
              onChange={(path) => onSelect(from, path ?? DELETED)}
            />
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** The names selected for the offered renames, and for `triedRenames`, which did not fit. */
export function useRenameChoices(triedRenames: readonly Rename[], offered: readonly OfferedRename[]) {
  const [selected, setSelected] = useState<Readonly<Record<string, string>>>({});
  const lines = [...triedRenames.map(({ from, to }) => ({ from, to: [to] })), ...offered];
  const names = namesOf(lines, selected);
  const renames = lines
    .map(({ from }) => ({ from, to: names.get(from) ?? DELETED }))
    .filter(({ to }) => to !== DELETED);
  const select = (from: string, to: string): void => setSelected({ ...selected, [from]: to });
  return { lines, names, renames, select };
}

/** Unselected names get the best offer that no other name has, because two names cannot become one. */
function namesOf(
  lines: readonly OfferedRename[],
  selected: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const taken = new Set(Object.values(selected));
  const names = new Map<string, string>();
  for (const { from, to } of lines) {
    const name = selected[from] ?? to.find((path) => !taken.has(path)) ?? DELETED;
    taken.add(name);
    names.set(from, name);
  }
  return names;
}

/** No path is empty. */
const DELETED = '';

/** A longer list needs a search field. */
const SEARCHED_FROM = 8;
