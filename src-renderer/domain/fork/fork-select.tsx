/** Selects a fork by name. Truncates names in the middle, so that names with the same start stay distinct. */

import { type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { clsx } from 'clsx';
import { FEW_FORKS } from '../../model/facts/fork-names.js';
import { useForkNames } from '../../server-state/forks.js';
import { exactFirst, useListEnter } from '../../theme/list-enter.js';
import { CutMiddle } from '../../ui/cut-middle.js';
import { ForkName, tipOf } from './fork-name.js';
import styles from './fork-select.module.css';

interface ForkSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'renderOption' | 'title' | 'searchable' | 'limit'> {
  readonly data: readonly string[];
  readonly value: string | null;
  /** In a popover: a portal outside of it would close it. */
  readonly isWithin?: boolean;
}

export function ForkSelect({
  data,
  value,
  leftSectionWidth = 10,
  className = '',
  isWithin = false,
  ...rest
}: ForkSelectProps) {
  const nameOf = useForkNames();
  const enter = useListEnter();
  return (
    <div className={clsx(styles.forkSelect, className)}>
      <Select
        {...rest}
        {...enter}
        data={data.map((id) => ({ value: id, label: nameOf(id) }))}
        value={value}
        title={value === null ? '' : tipOf(nameOf(value), value)}
        searchable={data.length > FEW_FORKS}
        filter={firstFound}
        leftSectionWidth={leftSectionWidth}
        comboboxProps={{ width: 'max-content', position: 'bottom-start', withinPortal: !isWithin }}
        renderOption={({ option }) =>
          option.value === '' ? <CutMiddle>{option.label}</CutMiddle> : <ForkName id={option.value} cut />
        }
      />
      {/* An input truncates its text at the end only, so the name is drawn over it. */}
      {value !== null && (
        <span className={styles.forkSelectShown} aria-hidden style={{ left: leftSectionWidth }}>
          <ForkName key={value} id={value} cut />
        </span>
      )}
    </div>
  );
}

/** Longest list of options. */
const OFFERED_MAX = 60;

/** The first matches, and a disabled option with the number of further ones. */
const firstFound: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  const found = exactFirst(options, search).filter(
    (option) => 'label' in option && `${option.label}\n${option.value}`.toLowerCase().includes(text),
  );
  if (found.length <= OFFERED_MAX) return found;
  const more = `${(found.length - OFFERED_MAX).toLocaleString('en')} more: type part of the name`;
  return [...found.slice(0, OFFERED_MAX), { value: '', label: more, disabled: true }];
};
