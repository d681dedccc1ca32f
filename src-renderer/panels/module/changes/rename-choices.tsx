/** Choices for names that are stored but missing from the text: the new name, or deleted. */

import { Select } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Rename } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { OfferedRename } from '../../../model/facts/failure.js';

interface RenameChoicesProps {
  readonly lines: readonly OfferedRename[];
  readonly names: ReadonlyMap<string, string>;
  readonly onChoose: (from: string, to: string) => void;
}

export function RenameChoices({ lines, names, onChoose }: RenameChoicesProps) {
  return (
    <>
      <p>Just renamed? Stored facts move to the new name, on every fork and with their history.</p>
      <div className="rename-lines">
        {lines.map(({ from, to }) => (
          <Fragment key={from}>
            <span className="mono">{from}</span>
            <span className="dim">is now</span>
            <Select
              aria-label={`New name of ${from}`}
              className="mono"
              data={[...to.map((path) => ({ value: path, label: path })), { value: GONE, label: 'deleted' }]}
              value={names.get(from) ?? GONE}
              allowDeselect={false}
              searchable={to.length > SEARCHED_FROM}
              onChange={(path) => onChoose(from, path ?? GONE)}
            />
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** The names selected for the offered renames, and for those of `before`, which did not fit. */
export function useRenameChoices(before: readonly Rename[], offered: readonly OfferedRename[]) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const lines = [...before.map(({ from, to }) => ({ from, to: [to] })), ...offered];
  const names = namesOf(lines, chosen);
  const renames = lines.map(({ from }) => ({ from, to: names.get(from) ?? GONE })).filter(({ to }) => to !== GONE);
  const choose = (from: string, to: string): void => setChosen({ ...chosen, [from]: to });
  return { lines, names, renames, choose };
}

/** Unselected names get the best offer that no other name has, because two names cannot become one. */
function namesOf(
  lines: readonly OfferedRename[],
  chosen: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const taken = new Set(Object.values(chosen));
  const names = new Map<string, string>();
  for (const { from, to } of lines) {
    const name = chosen[from] ?? to.find((path) => !taken.has(path)) ?? GONE;
    taken.add(name);
    names.set(from, name);
  }
  return names;
}

/** No path is empty. */
const GONE = '';

/** A longer list needs a search field. */
const SEARCHED_FROM = 8;
