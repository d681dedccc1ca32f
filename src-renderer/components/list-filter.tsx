/** The field over a list that narrows it as one types. */

import { TextInput } from '@mantine/core';

interface ListFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ListFilter({ label, value, onChange }: ListFilterProps) {
  return (
    <div className="list-filter">
      <TextInput
        aria-label={label}
        placeholder="Filter"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
