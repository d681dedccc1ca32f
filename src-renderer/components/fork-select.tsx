/** One of the forks, by name: names that begin alike are told apart in the list, and in the field while nobody types in it. */

import { Select, type SelectProps } from '@mantine/core';
import { CutMiddle } from './cut-middle.js';
import './fork-select.css';

interface ForkSelectProps extends Omit<SelectProps, 'data' | 'value' | 'renderOption' | 'title'> {
  readonly data: readonly string[];
  readonly value: string | null;
}

export function ForkSelect({ data, value, leftSectionWidth = 10, className = '', ...rest }: ForkSelectProps) {
  return (
    <div className={`fork-select ${className}`}>
      <Select
        {...rest}
        data={[...data]}
        value={value}
        title={value ?? ''}
        leftSectionWidth={leftSectionWidth}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        renderOption={({ option }) => <CutMiddle>{option.label}</CutMiddle>}
      />
      {/* A field cuts its text at the end, and cannot be told otherwise. */}
      {value !== null && (
        <span className="fork-select-shown" aria-hidden style={{ left: leftSectionWidth }}>
          <CutMiddle key={value}>{value}</CutMiddle>
        </span>
      )}
    </div>
  );
}
