/** A name that is changed where it stands: Enter or leaving takes it, Escape leaves it as it was; what is wrong with it is told below. */

import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  /** Undefined where the name can be given. */
  readonly problemOf: (name: string) => string | undefined;
  /** Once; undefined where the name stays. */
  readonly onDone: (name: string | undefined) => void;
}

export function NameField({ label, name, problemOf, onDone }: NameFieldProps) {
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
      className="name-field"
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
