/** Text field for the label of a fork. */

import { TextInput } from '@mantine/core';
import { FORK_LABEL_LENGTH_MAX } from '../../../src-runtime/api/schemas/wire-constants.js';

interface ForkLabelFieldProps {
  readonly value: string;
  readonly onChange: (label: string) => void;
  readonly autoFocus?: boolean;
}

export function ForkLabelField({ value, onChange, autoFocus = false }: ForkLabelFieldProps) {
  return (
    <TextInput
      label="Label"
      description="Display name. You can change it at any time."
      placeholder="Rent raised 5 %"
      value={value}
      error={labelProblem(value.trim())}
      autoFocus={autoFocus}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Why a label is invalid; undefined if valid. */
export function labelProblem(label: string): string | undefined {
  if (label.length <= FORK_LABEL_LENGTH_MAX) return undefined;
  return `A label can have ${FORK_LABEL_LENGTH_MAX} characters; this one has ${label.length}.`;
}
