/** A date and time as text, which may have an offset, or picked in UTC. */

import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { instantOfPicked, pickedOfInstant } from '../../model/text/instants.js';
import styles from './field-input.module.css';
import { VariableTextInput } from './variable-completion.js';

interface InstantInputProps {
  readonly label: string;
  readonly text: string;
  readonly error: ReactNode;
  readonly onText: (text: string) => void;
}

const INSTANT = { kind: 'scalar', name: 'DateTime' } as const;

export function InstantInput({ error, ...picked }: InstantInputProps) {
  const { label, text, onText } = picked;
  return (
    <VariableTextInput
      wanted={INSTANT}
      aria-label={label}
      value={text}
      error={error}
      placeholder="2026-01-31T10:00:00Z"
      rightSection={<InstantPicker {...picked} />}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

function InstantPicker({ label, text, onText }: Omit<InstantInputProps, 'error'>) {
  const [opened, setOpened] = useState(false);
  return (
    // Not in a portal, because a click outside closes the cell editor of a grid.
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal={false}>
      <Popover.Target>
        <ActionIcon aria-label={`Select ${label}`} onClick={() => setOpened((shown) => !shown)}>
          <IconCalendarTime size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.instantPicker}>
        <TextInput
          label="Day and time, UTC"
          type="datetime-local"
          step={1}
          data-autofocus
          value={pickedOfInstant(text)}
          onChange={(event) => onText(instantOfPicked(event.currentTarget.value))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            setOpened(false);
          }}
        />
        <Button
          variant="default"
          onClick={() => {
            onText(new Date().toISOString());
            setOpened(false);
          }}
        >
          Now
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
