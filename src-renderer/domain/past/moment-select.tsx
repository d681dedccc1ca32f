/** Selects a moment of a fork by its transaction. */

import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { causeWords } from '../../model/facts/cause-words.js';
import { timeText } from '../../model/text/time-text.js';
import { useForkNames } from '../../server-state/forks.js';
import { momentWords, useTransactionsUntil } from './use-moments.js';

interface MomentSelectProps {
  /** Before the value: `from`. */
  readonly label: string;
  readonly fork: string;
  /** Undefined for now. */
  readonly value: number | undefined;
  /** Whether now can be selected. */
  readonly hasNow?: boolean;
  readonly onChange: (txn: number | undefined) => void;
}

const NOW = 'now';

/** Offers the start, the newest transactions and the selected one. */
export function MomentSelect({ label, fork, value, hasNow = false, onChange }: MomentSelectProps) {
  const { data } = useTransactionsUntil(undefined, fork);
  const nameOf = useForkNames();
  const options = useMemo(() => {
    const rows = data?.pages.flatMap(({ result }) => result) ?? [];
    const listed = rows.map(({ txn, cause, at }) => {
      const { words, fork: source } = causeWords(cause);
      const what = source === undefined ? words : `${words} ${nameOf(source)}`;
      return { value: String(txn), label: `${momentWords(txn)}, ${what}, ${timeText(at)}` };
    });
    const isListed = value === undefined || value === 0 || rows.some(({ txn }) => txn === value);
    return [
      ...(hasNow ? [{ value: NOW, label: NOW }] : []),
      ...(isListed ? [] : [{ value: String(value), label: momentWords(value) }]),
      ...listed,
      { value: '0', label: momentWords(0) },
    ];
  }, [data, hasNow, nameOf, value]);
  return (
    <Select
      size="xs"
      aria-label={`Compare ${label}`}
      leftSection={<span className="dim">{label}</span>}
      leftSectionWidth={44}
      data={options}
      value={value === undefined ? NOW : String(value)}
      allowDeselect={false}
      searchable
      limit={60}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(selected) => onChange(selected === NOW || selected === null ? undefined : Number(selected))}
    />
  );
}
