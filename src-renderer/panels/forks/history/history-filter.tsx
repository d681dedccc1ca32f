/** Over the history of a fork: which relation or field, and which individual, its transactions are to tell of. */

import { ActionIcon, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { namesOf } from '../../../model/facts/locations.js';
import { sortedByName } from '../../../model/text/natural-order.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import type { RelationIndex } from '../compare/difference-list.js';
import type { HistoryWish } from './use-history.js';

/** No path is empty. */
const EVERYTHING = '';

interface HistoryFilterProps {
  readonly wish: HistoryWish;
  readonly index: RelationIndex;
  readonly onChange: (wish: Partial<HistoryWish>) => void;
}

export function HistoryFilter({ wish: { about, changed }, index, onChange }: HistoryFilterProps) {
  const options = useMemo(() => {
    const nameOf = namesOf([...index.keys()]);
    const stored = [...index.values()].filter(
      ({ kind }) => kind === 'stored' || kind === 'field' || kind === 'concept',
    );
    const paths = sortedByName(stored, ({ path }) => nameOf(path)).map(({ path }) => ({
      value: path,
      label: nameOf(path),
    }));
    return [{ value: EVERYTHING, label: 'everything' }, ...paths];
  }, [index]);
  return (
    <div className="history-filter">
      <Select
        size="xs"
        aria-label="Changes of"
        leftSection={<span className="dim">changes of</span>}
        leftSectionWidth={84}
        data={options}
        value={changed ?? EVERYTHING}
        allowDeselect={false}
        searchable
        limit={100}
        onChange={(value) => onChange({ changed: value === EVERYTHING ? undefined : (value ?? undefined) })}
      />
      {about !== undefined && (
        <span className="history-about">
          <span className="dim">about</span> <ReferenceLabel value={about} reference />
          <ActionIcon size="xs" aria-label="About anybody" onClick={() => onChange({ about: undefined })}>
            <IconX size={12} />
          </ActionIcon>
        </span>
      )}
    </div>
  );
}
