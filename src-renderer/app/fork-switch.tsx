/** The fork switcher of the top bar: lists forks, switches to one, and creates a new one. */

import { Button, Popover, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconGitBranch } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';
import { ForkLabelField, labelProblem } from '../domain/fork/fork-label-field.js';
import { ForkName } from '../domain/fork/fork-name.js';
import { currentFork, MAIN } from '../model/calls/place.js';
import { FEW_FORKS, nameHas, sortedForks } from '../model/facts/fork-names.js';
import { forksLocation } from '../model/facts/locations.js';
import { useCreateFork, useForkNames, useForks } from '../server-state/forks.js';
import { useMissingGrant } from '../server-state/health.js';
import { useShortcuts } from '../state/shortcuts.js';
import { useStore } from '../state/store.js';
import { FORK_STATUS_GLYPH, Glyph } from '../ui/glyph.js';
import { ListFilter } from '../ui/list-filter.js';
import { PANELS } from './panels.js';
import styles from './shell.module.css';

export function ForkSwitch() {
  const fork = useStore(currentFork);
  const forks = useForks();
  const [opened, setOpened] = useState(false);
  useShortcuts({ forks: () => setOpened((value) => !value) });
  useForkFallback(forks.data, fork);
  if (forks.data === undefined && fork === MAIN) return null;
  const close = (): void => setOpened(false);
  const status = forks.data?.find((candidate) => candidate.id === fork)?.status;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      // In a low window the popover scrolls.
      middlewares={{ flip: true, shift: true, size: true }}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <button
          type="button"
          className={clsx(styles.topButton, styles.topFork)}
          aria-haspopup="dialog"
          aria-expanded={opened}
          data-main={fork === MAIN}
          onClick={() => setOpened((value) => !value)}
        >
          <IconGitBranch size={14} stroke={1.6} aria-hidden />
          <span className="dim">Fork</span> <ForkName id={fork} cut />
          {status !== undefined && status !== 'open' && <span className="dim">({statusText(status)})</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.forkPopover} p={0}>
        <ForkList forks={forks.data ?? []} fork={fork} onDone={close} />
        <NewFork from={fork} onDone={close} />
        {PANELS.some((panel) => panel.name === 'Forks') && (
          <p className={styles.forkMenuFoot}>
            <Link className="link" to={forksLocation(fork)} onClick={close}>
              Compare and promote
            </Link>
          </p>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The API calls a discarded fork `aborted`. */
export function statusText(status: ForkInfo['status']): string {
  return status === 'aborted' ? 'discarded' : status;
}

interface ForkListProps {
  readonly forks: readonly ForkInfo[];
  readonly fork: string;
  readonly onDone: () => void;
}

function ForkList({ forks, fork, onDone }: ForkListProps) {
  const [text, setText] = useState('');
  const nameOf = useForkNames();
  const areMany = forks.length > FEW_FORKS;
  const found = sortedForks(forks).filter((candidate) => nameHas(candidate, text));
  // If there are many forks, closed ones appear only when the user types part of their name.
  const listed =
    areMany && text.trim() === '' ? found.filter(({ id, status }) => status === 'open' || id === fork) : found;
  const shown = listed.slice(0, SHOWN_MAX);
  const more = moreText(listed.length - shown.length, found.length - listed.length);
  const switchTo = (id: string): void => {
    currentFork.set(id);
    onDone();
  };
  return (
    <>
      {areMany && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '' && shown[0] !== undefined) switchTo(shown[0].id);
          }}
        >
          <ListFilter label="Filter forks" value={text} onChange={setText} autoFocus />
        </form>
      )}
      <ul className={styles.forkMenu} aria-label="Forks">
        {shown.map(({ id, parent, status, events }) => (
          <li key={id}>
            <button type="button" className="plain row" aria-current={id === fork} onClick={() => switchTo(id)}>
              <Glyph kind={FORK_STATUS_GLYPH[status]} />
              <ForkName id={id} cut className={styles.forkMenuName} />
              <span className="dim numeric">
                {status === 'open' ? '' : `${statusText(status)}, `}
                {parent === null ? '' : `from ${nameOf(parent)}, ${events} ${events === 1 ? 'change' : 'changes'}`}
              </span>
            </button>
          </li>
        ))}
        {more !== '' && <li className={clsx(styles.forkMenuMore, 'dim', 'numeric')}>{more}</li>}
      </ul>
    </>
  );
}

/** Nobody reads a longer list. */
const SHOWN_MAX = 60;

/** Says how many forks the list leaves out, and how to find them. */
function moreText(more: number, closed: number): string {
  const parts = [
    ...(more > 0 ? [`${more.toLocaleString('en')} more`] : []),
    ...(closed > 0 ? [`${closed.toLocaleString('en')} closed`] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(' and ')}. Type part of a name to find them.`;
}

function NewFork({ from, onDone }: { from: string; onDone: () => void }) {
  const create = useCreateFork();
  // Undefined until the user asks for a label, so that the form stays short.
  const [label, setLabel] = useState<string>();
  const nameOf = useForkNames();
  const missing = useMissingGrant('fork');
  if (missing !== undefined)
    return (
      <p className={clsx(styles.forkMenuFoot, 'dim')}>
        Forks are read-only. To change them, start the server with {missing}.
      </p>
    );
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const id = new FormData(event.currentTarget).get('id');
    const name = typeof id === 'string' ? id.trim() : '';
    const called = label?.trim() ?? '';
    if (labelProblem(called) !== undefined) return;
    create.mutate(
      { from, ...(name !== '' && { id: name }), ...(called !== '' && { label: called }) },
      {
        onSuccess: (created) => {
          currentFork.set(created.id);
          onDone();
        },
      },
    );
  };
  return (
    <form className={styles.forkMenuNew} onSubmit={onSubmit}>
      <TextInput
        name="id"
        label={`New fork of ${nameOf(from)}`}
        placeholder="Name (optional)"
        error={create.error?.message}
        data-autofocus
      />
      {label !== undefined && <ForkLabelField value={label} onChange={setLabel} autoFocus />}
      <Button type="submit" variant="default" loading={create.isPending}>
        Create and switch
      </Button>
      {label === undefined && (
        <button type="button" className="plain link" onClick={() => setLabel('')}>
          Add label
        </button>
      )}
    </form>
  );
}

/** Falls back to `main`, with a toast, if the selected fork does not exist on this server. */
function useForkFallback(forks: readonly ForkInfo[] | undefined, fork: string): void {
  const isMissing = fork !== MAIN && forks !== undefined && !forks.some((candidate) => candidate.id === fork);
  useEffect(() => {
    if (!isMissing) return;
    currentFork.set(MAIN);
    notifications.show({ message: `Fork ${fork} does not exist. Switched to main.` });
  }, [isMissing, fork]);
}
