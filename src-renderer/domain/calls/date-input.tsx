/** A date, or a date and time, as text in the form in which tables show it, or picked in a calendar. Times are picked in UTC. */

import { ActionIcon, Button, Popover, Skeleton, TextInput } from '@mantine/core';
import { IconCalendar, IconCalendarTime } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isDate } from '../../../src-runtime/base/dates.js';
import { instantOfPicked, pickedOfInstant } from '../../model/text/instants.js';
import { loadPart } from '../../server-state/load-part.js';
import styles from './field-input.module.css';
import { VariableTextInput } from './variable-completion.js';

interface DateInputProps {
  readonly label: string;
  readonly text: string;
  readonly error: ReactNode;
  readonly onText: (text: string) => void;
}

export function DateInput({ label, text, error, onText }: DateInputProps) {
  const day = text.trim();
  return (
    <VariableTextInput
      wanted={DATE}
      aria-label={label}
      value={text}
      error={error}
      placeholder="2026-01-31"
      rightSection={
        <Picker label={label} icon={<IconCalendar size={14} />}>
          {(close) => (
            <Calendar
              day={isDate(day) ? day : undefined}
              isFocused
              onDay={(picked) => {
                onText(picked);
                close();
              }}
            />
          )}
        </Picker>
      }
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

const DATE = { kind: 'scalar', name: 'Date' } as const;

export function InstantInput({ label, text, error, onText }: DateInputProps) {
  const picked = pickedOfInstant(text);
  return (
    <VariableTextInput
      wanted={INSTANT}
      aria-label={label}
      value={text}
      error={error}
      placeholder="2026-01-31T10:00:00Z"
      rightSection={
        <Picker label={label} icon={<IconCalendarTime size={14} />}>
          {(close) => (
            <>
              <Calendar
                day={picked === '' ? undefined : picked.slice(0, 10)}
                onDay={(day) => onText(instantOfPicked(`${day}T${picked === '' ? '00:00:00' : picked.slice(11)}`))}
              />
              <div className={styles.instantPicker}>
                <TextInput
                  label="Day and time, UTC"
                  type="datetime-local"
                  step={1}
                  data-autofocus
                  value={picked}
                  onChange={(event) => onText(instantOfPicked(event.currentTarget.value))}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return;
                    event.preventDefault();
                    close();
                  }}
                />
                <Button
                  variant="default"
                  onClick={() => {
                    onText(new Date().toISOString());
                    close();
                  }}
                >
                  Now
                </Button>
              </div>
            </>
          )}
        </Picker>
      }
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

const INSTANT = { kind: 'scalar', name: 'DateTime' } as const;

interface PickerProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}

function Picker({ label, icon, children }: PickerProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon aria-label={`Select ${label}`} onClick={() => setOpened((shown) => !shown)}>
          {icon}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>{children(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  );
}

const LoadedCalendar = lazy(async () => ({
  default: (await loadPart(() => import('./calendar.js'))).Calendar,
}));

function Calendar(props: Parameters<typeof LoadedCalendar>[0]) {
  return (
    <div className={styles.calendar}>
      <Suspense fallback={<Skeleton height="100%" />}>
        <LoadedCalendar {...props} />
      </Suspense>
    </div>
  );
}
