/** Filter field of a list. */

import { TextInput } from '@mantine/core';

interface ListFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Gets the focus when its popover opens. */
  readonly autoFocus?: boolean;
}

export function ListFilter({ label, value, onChange, autoFocus = false }: ListFilterProps) {
  return (
    <div className="list-filter">
      <TextInput
        aria-label={label}
        placeholder="Filter"
        value={value}
        {...(autoFocus && { 'data-autofocus': true })}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
