/** Saves a call to a collection beside the module: over the call it was opened from, or as a new one. */

import { Autocomplete, Button, Popover, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { clsx } from 'clsx';
import { type FormEvent, useState } from 'react';
import type { Collection, SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { freeCallName } from '../../model/calls/call-names.js';
import { asTyped, callTitle, isSameCall, type SentCall, savedCall } from '../../model/calls/calls.js';
import { type SavedOrigin, savedOrigins, setOrigin } from '../../model/calls/saved-origins.js';
import { fileNameProblem } from '../../model/text/file-names.js';
import { useCollections, useCollectionWriter } from '../../server-state/collections.js';
import { useStore } from '../../state/store.js';
import { useStoredText } from '../../state/stored-text.js';
import { useListEnter } from '../../theme/list-enter.js';
import { Glyph } from '../../ui/glyph.js';
import styles from './call-outcome.module.css';

interface SaveCallProps {
  /** Undefined while the draft is not a valid call. */
  readonly call: SentCall | undefined;
  /** Key under which the saved call that this draft was opened from is stored. */
  readonly origin: string;
}

export function SaveCall({ call, origin: key }: SaveCallProps) {
  const [opened, setOpened] = useState(false);
  const origin = useStoredOrigin(key);
  const isChanged = call !== undefined && origin !== undefined && !isSameCall(asTyped(call), origin.call);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="subtle" disabled={call === undefined} onClick={() => setOpened((shown) => !shown)}>
          {isChanged && (
            <span className={styles.saveMark}>
              <Glyph kind="changed" size={10} label="Unsaved changes" />
            </span>
          )}
          Save…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {call !== undefined && (
          <div className={styles.saveCall}>
            {origin !== undefined && (
              <SaveBack {...{ call, origin, isChanged }} onDone={() => setOpened(false)} key={origin.call.name} />
            )}
            <SaveForm {...{ call, originKey: key }} isFirst={origin === undefined} onDone={() => setOpened(false)} />
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface StoredOrigin extends SavedOrigin {
  readonly file: Collection;
  readonly call: SavedCall;
}

/** The saved call that the draft was opened from, while it exists. */
function useStoredOrigin(key: string): StoredOrigin | undefined {
  const origin = useStore(savedOrigins)[key];
  const collections = useCollections().data ?? [];
  const file = collections.find(({ name }) => name === origin?.collection);
  const call = file?.calls.find(({ name }) => name === origin?.name);
  return origin === undefined || file === undefined || call === undefined ? undefined : { ...origin, file, call };
}

interface SaveBackProps {
  readonly call: SentCall;
  readonly origin: StoredOrigin;
  readonly isChanged: boolean;
  readonly onDone: () => void;
}

/** Overwrites the call that the draft was opened from. */
function SaveBack({ call, origin: { file, call: kept }, isChanged, onDone }: SaveBackProps) {
  const { save } = useCollectionWriter();
  const [note, setNote] = useState(kept.note ?? '');
  const [error, setError] = useState<string | undefined>(undefined);
  const isOther = isChanged || note.trim() !== (kept.note ?? '');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isOther) return;
    const changed = { ...savedCall(kept.name, asTyped(call), note), ...(kept.sets && { sets: kept.sets }) };
    const calls = file.calls.map((each) => (each.name === kept.name ? changed : each));
    save(file.name, calls, file).then(
      () => {
        notifications.show({ message: `Saved "${kept.name}" in ${file.name}.calls.json.` });
        onDone();
      },
      (failure: unknown) => setError(messageOf(failure)),
    );
  };
  return (
    <form className={clsx(styles.saveCall, styles.saveBack)} aria-label={`Save ${kept.name}`} onSubmit={onSubmit}>
      <p>
        Opened from <strong>{kept.name}</strong> <span className="dim">in {file.name}.calls.json</span>
      </p>
      <NoteField value={note} onChange={setNote} />
      {error !== undefined && <p role="alert">{error}</p>}
      <Button type="submit" data-autofocus disabled={!isOther}>
        {isOther ? 'Save changes' : 'No changes'}
      </Button>
    </form>
  );
}

interface SaveFormProps {
  readonly call: SentCall;
  readonly originKey: string;
  readonly isFirst: boolean;
  readonly onDone: () => void;
}

function SaveForm({ call, originKey, isFirst, onDone }: SaveFormProps) {
  const collections = useCollections();
  const { save } = useCollectionWriter();
  const known = collections.data ?? [];
  const [collection, setCollection] = useState(known[0]?.name ?? 'saved');
  const [name, setName] = useState(callTitle(call.request));
  // A click outside closes the form, and a note may be long, so it is stored.
  const [note, setNote] = useStoredText(`note of ${originKey}`);
  const [error, setError] = useState<string | undefined>(undefined);
  const enter = useListEnter();
  const into = known.find((each) => each.name === collection.trim());
  const misfit = into === undefined ? fileNameProblem(collection.trim(), []) : undefined;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (misfit !== undefined) return;
    const calls = into?.calls ?? [];
    const wanted = freeCallName(name.trim() === '' ? callTitle(call.request) : name.trim(), calls);
    save(collection.trim(), [...calls, savedCall(wanted, asTyped(call), note)], into).then(
      () => {
        setOrigin(originKey, { collection: collection.trim(), name: wanted });
        setNote('');
        notifications.show({ message: `Saved "${wanted}" in ${collection.trim()}.calls.json, beside the module.` });
        onDone();
      },
      (failure: unknown) => setError(messageOf(failure)),
    );
  };
  return (
    <form className={styles.saveCall} onSubmit={onSubmit}>
      <TextInput
        label="Name"
        value={name}
        {...(isFirst && { 'data-autofocus': true })}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Autocomplete
        label="Collection"
        description="A file beside the module. You can commit it."
        value={collection}
        data={known.map((each) => each.name)}
        error={misfit ?? error}
        {...enter}
        onChange={setCollection}
        comboboxProps={{ withinPortal: false }}
      />
      {isFirst && <NoteField value={note} onChange={setNote} />}
      <Button type="submit" variant={isFirst ? 'filled' : 'default'}>
        {isFirst ? 'Save' : 'Save as new'}
      </Button>
    </form>
  );
}

function NoteField({ value, onChange }: { value: string; onChange: (note: string) => void }) {
  return (
    <Textarea
      label="Note"
      description="Optional description"
      autosize
      minRows={1}
      maxRows={6}
      maxLength={10_000}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
