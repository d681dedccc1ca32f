/** The title of a fork, renamed with F2 anywhere in the panel or from the menu. */

import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { labelProblem } from '../../domain/fork/fork-label-field.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { useForkNames } from '../../server-state/forks.js';
import { copyValue } from '../../ui/copy-value.js';
import { NameField } from '../../ui/name-field.js';
import { PaneTitle } from '../../ui/panes/panes.js';
import styles from './forks.module.css';
import { useForksWritable, useLabelFork } from './use-fork-actions.js';

export interface Renaming {
  readonly isOn: boolean;
  /** `opener` gets the focus afterwards; by default the focused element. */
  readonly begin: (opener?: HTMLElement | null) => void;
  readonly end: () => void;
}

/** For the shown fork. */
export function useRenaming(
  fork: ForkInfo | undefined,
): Renaming & { readonly onKeyDown: (event: KeyboardEvent) => void } {
  const [renamed, setRenamed] = useState<string>();
  const opener = useRef<Element>(null);
  const writable = useForksWritable();
  const isOn = fork !== undefined && renamed === fork.id;
  useEffect(() => {
    // Restores the focus, unless the user moved it.
    const isLost = document.activeElement === document.body;
    if (!isOn && isLost && opener.current instanceof HTMLElement) opener.current.focus();
    if (!isOn) opener.current = null;
  }, [isOn]);
  const begin = (from: HTMLElement | null = null): void => {
    opener.current = from ?? document.activeElement;
    setRenamed(fork?.id);
  };
  return {
    isOn,
    begin,
    end: () => setRenamed(undefined),
    onKeyDown: (event) => {
      if (event.key !== 'F2' || event.target instanceof HTMLInputElement) return;
      if (fork === undefined || !isRenamable(fork) || !writable) return;
      event.preventDefault();
      begin();
    },
  };
}

function isRenamable({ parent }: ForkInfo): boolean {
  return parent !== null;
}

interface ForkTitleProps {
  readonly fork: ForkInfo;
  readonly renaming: Renaming;
}

/** An empty label restores the id. */
export function ForkTitle({ fork, renaming }: ForkTitleProps) {
  const { id, label } = fork;
  const give = useLabelFork();
  if (!renaming.isOn) {
    return (
      <PaneTitle isCut>
        <ForkName id={id} cut />
      </PaneTitle>
    );
  }
  return (
    <NameField
      className={styles.forkNameField}
      label={`Label of ${id}`}
      name={label ?? id}
      problemOf={labelProblem}
      onDone={(wanted) => {
        renaming.end();
        if (wanted !== undefined) give.mutate({ id, label: wanted === id || wanted === '' ? null : wanted });
      }}
    />
  );
}

export function ForkMenu({ fork, renaming }: ForkTitleProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The text field gets the focus instead of the menu button.
  const [isLeft, setLeft] = useState(false);
  const writable = useForksWritable();
  const name = useForkNames()(fork.id);
  if (!isRenamable(fork)) return null;
  return (
    <Menu position="bottom-end" withinPortal returnFocus={!isLeft} onOpen={() => setLeft(false)}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label="More actions">
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        <Menu.Item
          disabled={!writable}
          rightSection={<span className="dim">F2</span>}
          onClick={() => {
            setLeft(true);
            renaming.begin(button.current);
          }}
        >
          Rename…
        </Menu.Item>
        <Menu.Item onClick={() => void copyValue(fork.id)}>
          Copy id <span className="mono">{fork.id}</span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
