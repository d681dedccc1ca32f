/** Search bar with match count and next/previous, for virtual lists. */

import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import styles from './find-bar.module.css';

export interface Find {
  readonly text: string;
  /** Index of the current match. */
  readonly at: number;
  /** Counts requests to search, so that the field is focused again. */
  readonly asked: number;
}

interface FindBarProps {
  readonly find: Find;
  readonly found: number;
  readonly onFind: (find: Find) => void;
  readonly onClose: () => void;
}

export function FindBar({ find, found, onFind, onClose }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each request.
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [find.asked]);
  const go = (by: 1 | -1): void => {
    if (found > 0) onFind({ ...find, at: (find.at + by + found) % found });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles.findBar} aria-label="Find in the result">
      <TextInput
        ref={input}
        aria-label="Find in the result"
        placeholder="Find in the result"
        value={find.text}
        onChange={(event) => onFind({ ...find, text: event.currentTarget.value, at: 0 })}
        onKeyDown={onKeyDown}
      />
      <span className="dim numeric" role="status">
        {find.text === '' ? '' : found === 0 ? 'no matches' : `${Math.min(find.at, found - 1) + 1} of ${found}`}
      </span>
      <ActionIcon aria-label="Previous" disabled={found === 0} onClick={() => go(-1)}>
        <IconChevronUp size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Next" disabled={found === 0} onClick={() => go(1)}>
        <IconChevronDown size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Close search" onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </search>
  );
}
