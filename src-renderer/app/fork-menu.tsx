/** The list of forks under the fork switcher: switches to one, and creates a new one. Loaded when it is first opened. */

import { Button, TextInput } from '@mantine/core';
import { clsx } from 'clsx';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Link } from 'react-router';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';
import { ForkLabelField, labelProblem } from '../domain/fork/fork-label-field.js';
import { ForkName } from '../domain/fork/fork-name.js';
import { momentWords } from '../domain/past/use-moments.js';
import { currentFork, currentMoment } from '../model/calls/place.js';
import { FEW_FORKS, FORK_STATUS_WORDS, nameHas, sortedForks } from '../model/facts/fork-names.js';
import { forksLocation } from '../model/facts/locations.js';
import { useCreateFork, useForkNames } from '../server-state/forks.js';
import { useMissingGrant } from '../server-state/health.js';
import { useStore } from '../state/store.js';
import { ButtonPopover } from '../ui/button-popover.js';
import { FORK_STATUS_GLYPH, Glyph } from '../ui/glyph.js';
import { ListFilter } from '../ui/list-filter.js';
import { PANELS } from './panels.js';
import styles from './shell.module.css';

interface ForkMenuProps {
  readonly button: ReactElement;
  readonly opened: boolean;
  readonly fork: string;
  readonly forks: readonly ForkInfo[];
  readonly onChange: (opened: boolean) => void;
}

export function ForkMenu({ button, opened, fork, forks, onChange }: ForkMenuProps) {
  const close = (): void => onChange(false);
  return (
    <ButtonPopover className={styles.forkPopover} {...{ button, opened, onChange }}>
      <ForkList forks={forks} fork={fork} onDone={close} />
      <NewFork from={fork} onDone={close} />
      {PANELS.some((panel) => panel.name === 'Forks') && (
        <p className={styles.forkMenuFoot}>
          <Link className="link" to={forksLocation(fork)} onClick={close}>
            Compare and promote
          </Link>
        </p>
      )}
    </ButtonPopover>
  );
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
                {status === 'open' ? '' : `${FORK_STATUS_WORDS[status]}, `}
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
  const moment = useStore(currentMoment);
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
      {
        from,
        ...(moment !== undefined && { asOf: moment }),
        ...(name !== '' && { id: name }),
        ...(called !== '' && { label: called }),
      },
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
        label={`New fork of ${nameOf(from)}${moment === undefined ? '' : ` as of ${momentWords(moment)}`}`}
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
