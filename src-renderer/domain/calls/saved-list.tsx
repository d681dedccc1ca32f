/** Saved calls in collection files beside the module, with actions to open, rename, duplicate and delete. */

import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlayerPlay } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Collection, SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { freeCallName } from '../../model/calls/call-names.js';
import { callOfSaved, type SentCall } from '../../model/calls/calls.js';
import { renamedOrigins, type SavedOrigin, savedOrigins } from '../../model/calls/saved-origins.js';
import { isLost } from '../../model/facts/failure.js';
import { fileNameProblem, freeName } from '../../model/text/file-names.js';
import { type CollectionWriter, useCollections, useCollectionWriter } from '../../server-state/collections.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { NameField } from '../../ui/name-field.js';
import { notifyFailure } from '../failure/notify-failure.js';
import { LoadFailure, LoadingRows } from '../failure/states.js';
import { offerUndo } from '../fork/closed-notice.js';
import styles from './saved-list.module.css';

/** `rowId` of the row to focus once it is listed: a rename creates a new row. */
type FocusWanted = RefObject<string | undefined>;

const rowId = (collection: string, call = ''): string => `${collection}/${call}`;

interface SavedListProps {
  readonly onOpen: OpenSaved;
  /** Filter; lists all by default. */
  readonly accepts?: (call: SavedCall) => boolean;
  /** Plural noun for the listed calls. */
  readonly noun?: string;
  /** Runs a collection; undefined where collections cannot be run. */
  readonly onRun?: (collection: string) => void;
}

type OpenSaved = (call: SentCall, origin: SavedOrigin) => void;

export function SavedList({ onOpen, accepts, noun = 'calls', onRun }: SavedListProps) {
  const collections = useCollections();
  const writer = useCollectionWriter();
  const focused: FocusWanted = useRef(undefined);
  if (isLost(collections)) return <LoadFailure error={collections.error} onRetry={() => void collections.refetch()} />;
  if (collections.data === undefined) return <LoadingRows rows={4} />;
  const shown = accepts === undefined ? collections.data : collections.data.filter(({ calls }) => calls.some(accepts));
  if (shown.length === 0) {
    return (
      <p className="pane-padded dim">
        Saved {noun} appear here. They are files beside the module that you can commit and share.
      </p>
    );
  }
  const names = collections.data.map(({ name }) => name);
  return shown.map((collection) => (
    <CollectionSection key={collection.name} {...{ collection, names, writer, focused, onOpen, accepts, onRun }} />
  ));
}

interface CollectionSectionProps {
  readonly collection: Collection;
  /** Names of all collections. */
  readonly names: readonly string[];
  readonly writer: CollectionWriter;
  readonly focused: FocusWanted;
  readonly onOpen: OpenSaved;
  readonly accepts: SavedListProps['accepts'];
  readonly onRun: SavedListProps['onRun'];
}

function CollectionSection(props: CollectionSectionProps) {
  const { collection, names, writer, focused, onOpen, accepts, onRun } = props;
  const { name, calls, problem } = collection;
  const file = `${name}.calls.json`;
  const others = names.filter((each) => each !== name);
  const remove = (): Promise<void> =>
    settle(
      'Delete failed',
      writer
        .remove(collection)
        .then(() => offerUndo(`${file} was deleted.`, () => writer.save(name, calls, undefined))),
    );
  return (
    <section aria-label={name}>
      <Renamable
        name={name}
        shown={file}
        className={styles.savedHead}
        id={rowId(name)}
        focused={focused}
        problemOf={(wanted) => fileNameProblem(wanted, others)}
        onRename={(wanted) => {
          focused.current = rowId(wanted);
          void settle(
            'Rename failed',
            writer
              .rename(collection, wanted)
              .then(() => savedOrigins.update((origins) => renamedOrigins(origins, { collection: name }, wanted))),
          );
        }}
        onDuplicate={() => {
          const copy = freeName(name, names);
          focused.current = rowId(copy);
          void settle('Duplicate failed', writer.save(copy, calls, undefined));
        }}
        onDelete={remove}
        // An unreadable file must not be overwritten.
        isFixed={problem !== undefined}
      >
        {() => (
          <>
            <h3 className="group-title">{file}</h3>
            {onRun !== undefined && calls.length > 0 && (
              <Tooltip label="Run all">
                <ActionIcon aria-label={`Run ${file}`} onClick={() => onRun(name)}>
                  <IconPlayerPlay size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </>
        )}
      </Renamable>
      {problem !== undefined && (
        <p className={styles.savedProblem}>
          <Glyph kind="warning" /> <span>{problem}</span>
        </p>
      )}
      <ul>
        {calls.map(
          (call, index) =>
            (accepts === undefined || accepts(call)) && (
              <SavedCallRow key={call.name} {...{ collection, call, index, writer, focused, onOpen }} />
            ),
        )}
      </ul>
    </section>
  );
}

interface SavedCallRowProps {
  readonly collection: Collection;
  readonly call: SavedCall;
  readonly index: number;
  readonly writer: CollectionWriter;
  readonly focused: FocusWanted;
  readonly onOpen: OpenSaved;
}

function SavedCallRow({ collection, call, index, writer, focused, onOpen }: SavedCallRowProps) {
  const { name: file, calls } = collection;
  const write = (title: string, changed: readonly SavedCall[]): void =>
    void settle(title, writer.save(file, changed, collection));
  const remove = (): Promise<void> => {
    const left = calls.toSpliced(index, 1);
    focused.current = rowId(file, (calls[index + 1] ?? calls[index - 1])?.name);
    return settle(
      'Delete failed',
      // Deletes the file with its last call.
      (left.length === 0 ? writer.remove(collection) : writer.save(file, left, collection)).then(() =>
        offerUndo(`${call.name} was deleted.`, () => writer.putBack(file, call, index)),
      ),
    );
  };
  return (
    <li>
      <Renamable
        name={call.name}
        shown={call.name}
        className={styles.savedCall}
        id={rowId(file, call.name)}
        focused={focused}
        problemOf={(wanted) => callNameProblem(wanted, calls)}
        onRename={(wanted) => {
          focused.current = rowId(file, wanted);
          const renamed = writer.save(file, calls.with(index, { ...call, name: wanted }), collection);
          void settle(
            'Rename failed',
            renamed.then(() =>
              savedOrigins.update((origins) => renamedOrigins(origins, { collection: file, name: call.name }, wanted)),
            ),
          );
        }}
        onDuplicate={() => {
          const copy = { ...call, name: freeCallName(call.name, calls) };
          focused.current = rowId(file, copy.name);
          write('Duplicate failed', calls.toSpliced(index + 1, 0, copy));
        }}
        onDelete={remove}
      >
        {(onKeyDown) => (
          <button
            type="button"
            className={clsx('plain', 'row', styles.savedOpen)}
            title="F2 to rename, Delete to delete"
            onClick={() => onOpen(callOfSaved(call), { collection: file, name: call.name })}
            onKeyDown={onKeyDown}
          >
            <Cut>{call.name}</Cut>
            {call.note !== undefined && <Cut className={clsx('dim', styles.savedNote)}>{call.note}</Cut>}
          </button>
        )}
      </Renamable>
    </li>
  );
}

interface RenamableProps {
  readonly name: string;
  /** Name in the list. */
  readonly shown: string;
  readonly className: string | undefined;
  readonly id: string;
  readonly focused: FocusWanted;
  readonly problemOf: (name: string) => string | undefined;
  readonly onRename: (name: string) => void;
  readonly onDuplicate: () => void;
  readonly onDelete: () => Promise<void>;
  readonly isFixed?: boolean;
  /** Receives the key handler of the row. */
  readonly children: (onKeyDown: (event: KeyboardEvent) => void) => ReactNode;
}

/** A row with a name and a menu of actions. */
function Renamable({ name, shown, className, children, isFixed = false, ...does }: RenamableProps) {
  const { id, focused, problemOf, onRename, onDuplicate, onDelete } = does;
  const [isRenaming, setRenaming] = useState(false);
  const line = useRef<HTMLDivElement>(null);
  const isGoing = useRef(false);
  const remove = (): void => {
    // Prevents a second delete while the first is pending.
    if (isGoing.current) return;
    isGoing.current = true;
    void onDelete().finally(() => {
      isGoing.current = false;
    });
  };
  useEffect(() => {
    if (line.current === null || focused.current !== id) return;
    focused.current = undefined;
    line.current.querySelector('button')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') remove();
    else return;
    event.preventDefault();
  };
  if (isRenaming) {
    return (
      <NameField
        className={styles.savedName}
        label={`Name of ${shown}`}
        name={name}
        problemOf={problemOf}
        onDone={(wanted) => {
          setRenaming(false);
          focused.current = id;
          if (wanted !== undefined) onRename(wanted);
        }}
      />
    );
  }
  return (
    <div className={className} ref={line} data-opens="either">
      {children(onKeyDown)}
      {!isFixed && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={`Actions for ${shown}`}>
              <IconDots size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setRenaming(true)}>Rename…</Menu.Item>
            <Menu.Item onClick={onDuplicate}>Duplicate</Menu.Item>
            <Menu.Item onClick={remove}>Delete</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

function callNameProblem(name: string, calls: readonly SavedCall[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > 200) return 'A name can have 200 characters.';
  return calls.some((call) => call.name === name) ? `The file already has a call ${name}.` : undefined;
}

async function settle(title: string, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => notifyFailure(title, error));
}
