/** A month of days to pick one from, with the keyboard too. Loaded when a date is first picked. */

import '@mantine/dates/styles.css';
import { DatePicker } from '@mantine/dates';
import { useEffect, useRef } from 'react';

interface CalendarProps {
  /** The selected day, as `2026-01-31`. */
  readonly day: string | undefined;
  readonly onDay: (day: string) => void;
  /** Takes the focus when it is shown. */
  readonly isFocused?: boolean;
}

export function Calendar({ day, onDay, isFocused = false }: CalendarProps) {
  const calendar = useRef<HTMLDivElement>(null);
  // The popover sets the focus before the calendar is loaded, so the calendar sets it again. It waits until the popover has noted
  // where the focus returns to.
  useEffect(() => {
    const day = (which: string) => calendar.current?.querySelector<HTMLElement>(`table button${which}`);
    const timer = setTimeout(() => {
      if (isFocused) (day('[data-selected]') ?? day('[data-today]') ?? day(':not([data-outside])'))?.focus();
    });
    return () => clearTimeout(timer);
  }, [isFocused]);
  return (
    <div ref={calendar}>
      <DatePicker
        value={day ?? null}
        {...(day !== undefined && { defaultDate: day })}
        size="xs"
        highlightToday
        hideOutsideDates
        weekendDays={[]}
        ariaLabels={{
          nextMonth: 'Next month',
          previousMonth: 'Previous month',
          nextYear: 'Next year',
          previousYear: 'Previous year',
          nextDecade: 'Next decade',
          previousDecade: 'Previous decade',
        }}
        onChange={(picked) => picked !== null && onDay(picked)}
      />
    </div>
  );
}
