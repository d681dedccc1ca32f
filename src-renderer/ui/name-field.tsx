/** Inline rename field: Enter or blur accepts, Escape cancels. */

import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  readonly className: string | undefined;
  /** Undefined if valid. */
  readonly problemOf: (name: string) => string | undefined;
  /** Called once; undefined if the name is unchanged. */
  readonly onDone: (name: string | undefined) => void;
}

export function NameField({ label, name, className, problemOf, onDone }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const isDone = useRef(false);
  const wanted = typed.trim();
  const problem = wanted === name ? undefined : problemOf(wanted);
  const finish = (): void => {
    if (isDone.current || problem !== undefined) return;
    isDone.current = true;
    onDone(wanted === name ? undefined : wanted);
  };
  return (
    <TextInput
      aria-label={label}
      className={className}
      value={typed}
      error={problem}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        else if (event.key === 'Escape') {
          isDone.current = true;
          onDone(undefined);
        } else return;
        event.preventDefault();
      }}
    />
  );
}
