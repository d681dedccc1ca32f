/** What can be done with a call beside running it: copied as curl, kept in a collection, its result pinned. */

import { Autocomplete, Button, Popover, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { asTyped, callTitle, isWrite, type SentCall, savedCall } from '../data/calls.js';
import { freeCallName, useCollections, useCollectionWriter } from '../data/collections.js';
import { curlOf } from '../data/curl.js';
import { fileNameProblem } from '../data/file-names.js';
import { host } from '../host/current-host.js';
import { PinButton } from './pin-button.js';

interface CallActionsProps {
  /** Undefined while what is typed does not make a call. */
  readonly call: SentCall | undefined;
  /** Its answer is a list. Undefined where pinning is offered elsewhere. */
  readonly paged?: boolean;
}

export function CallActions({ call, paged }: CallActionsProps) {
  const copy = (): void => {
    if (call === undefined) return;
    // The page of the desktop does not know the address of its server.
    const text = curlOf(call, host.kind === 'electron' ? undefined : window.location.origin);
    void navigator.clipboard.writeText(text).then(() => {
      const needs = host.kind === 'electron' ? 'ENTAIL_TOKEN and ENTAIL_URL' : 'ENTAIL_TOKEN';
      notifications.show({ message: `Copied as curl. It takes ${needs} from the environment.` });
    });
  };
  return (
    <>
      <Button variant="subtle" color="gray" disabled={call === undefined} onClick={copy}>
        Copy as curl
      </Button>
      <SaveCall call={call} />
      {paged !== undefined && (call === undefined || !isWrite(call.request)) && (
        <PinButton request={call?.request} paged={paged} />
      )}
    </>
  );
}

function SaveCall({ call }: { call: SentCall | undefined }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          disabled={call === undefined}
          onClick={() => setOpened((shown) => !shown)}
        >
          Save…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {call !== undefined && <SaveForm call={call} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ call, onDone }: { call: SentCall; onDone: () => void }) {
  const collections = useCollections();
  const { save } = useCollectionWriter();
  const known = collections.data ?? [];
  const [collection, setCollection] = useState(known[0]?.name ?? 'saved');
  const [name, setName] = useState(callTitle(call.request));
  const [error, setError] = useState<string | undefined>(undefined);
  const into = known.find((each) => each.name === collection.trim());
  const misfit = into === undefined ? fileNameProblem(collection.trim(), []) : undefined;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (misfit !== undefined) return;
    const calls = into?.calls ?? [];
    const saved = savedCall(
      freeCallName(name.trim() === '' ? callTitle(call.request) : name.trim(), calls),
      asTyped(call),
    );
    save(collection.trim(), [...calls, saved], into).then(
      () => {
        notifications.show({
          message: `"${saved.name}" is kept in ${collection.trim()}.calls.json, beside the module.`,
        });
        onDone();
      },
      (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
    );
  };
  return (
    <form className="save-call" onSubmit={onSubmit}>
      <TextInput label="Name" value={name} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
      <Autocomplete
        label="Collection"
        description="A file beside the module, to be committed with it."
        value={collection}
        data={known.map((each) => each.name)}
        error={misfit ?? error}
        onChange={setCollection}
        comboboxProps={{ withinPortal: false }}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}
