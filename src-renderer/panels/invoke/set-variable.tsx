/** Saves a value of the last result as a variable for later calls. */

import { Button, Checkbox, Popover, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useMemo, useState } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import styles from '../../domain/calls/call-outcome.module.css';
import type { SavedOrigin } from '../../model/calls/saved-origins.js';
import { selectedEnvironment, setOwnVariable } from '../../model/calls/variable-scope.js';
import { inBrief } from '../../model/facts/labels.js';
import { useCollections, useCollectionWriter } from '../../server-state/collections.js';
import { useListEnter } from '../../theme/list-enter.js';
import { resultValues, variableName } from './result-values.js';

interface SetVariableProps {
  readonly result: JsonValue;
  /** The saved call with this result. Runs of its file can set the variable too. */
  readonly origin?: SavedOrigin | undefined;
}

/** Shown beside the path. */
const TEXT_LETTERS_MAX = 60;

export function SetVariable({ result, origin }: SetVariableProps) {
  const [opened, setOpened] = useState(false);
  if (result === null || (Array.isArray(result) && result.length === 0)) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="subtle" size="compact-xs" onClick={() => setOpened((shown) => !shown)}>
          Set variable…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <VariableForm result={result} origin={origin} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function VariableForm({ result, origin, onDone }: SetVariableProps & { readonly onDone: () => void }) {
  const values = useMemo(() => resultValues(result), [result]);
  const [path, setPath] = useState<string | null>(values[0]?.path ?? null);
  const [name, setName] = useState(() => variableName(result, selectedEnvironment.get().variables));
  const [error, setError] = useState<string | undefined>(undefined);
  const [isOfRuns, setOfRuns] = useState(false);
  const enter = useListEnter();
  const saveInRuns = useSetInRuns(origin);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const selected = values.find((each) => each.path === path);
    if (!VARIABLE_NAME.test(name.trim()))
      setError('Use letters, digits, ".", "_" and "-". Start with a letter or "_".');
    else if (selected !== undefined) {
      if (isOfRuns && saveInRuns !== undefined) {
        saveInRuns(name.trim(), selected.path).then(onDone, (failure: unknown) =>
          setError(failure instanceof Error ? failure.message : String(failure)),
        );
        return;
      }
      setOwnVariable(name.trim(), selected.text);
      notifications.show({
        message: `{{${name.trim()}}} set to ${inBrief(selected.text, TEXT_LETTERS_MAX)} in this browser.`,
      });
      onDone();
    }
  };
  return (
    <form className={styles.saveCall} onSubmit={onSubmit}>
      <TextInput
        label="Variable"
        value={name}
        error={error}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Value"
        description="A value of the result, by its path."
        searchable
        {...enter}
        limit={50}
        value={path}
        data={values.map((each) => ({
          value: each.path,
          label: `${each.path}  ${inBrief(each.text, TEXT_LETTERS_MAX)}`,
        }))}
        onChange={setPath}
        comboboxProps={{ withinPortal: false }}
      />
      {origin !== undefined && saveInRuns !== undefined && (
        <Checkbox
          label={`In each run of ${origin.collection}.calls.json`}
          description="Saved in the file, for later calls."
          checked={isOfRuns}
          onChange={(event) => setOfRuns(event.currentTarget.checked)}
        />
      )}
      <Button type="submit">Set</Button>
    </form>
  );
}

/** Saves the path in the file, so that each run sets the variable. Undefined if the file lacks the call. */
function useSetInRuns(origin: SavedOrigin | undefined): ((name: string, path: string) => Promise<void>) | undefined {
  const collections = useCollections().data;
  const { save } = useCollectionWriter();
  const collection = collections?.find(({ name }) => name === origin?.collection);
  if (collection === undefined || !collection.calls.some(({ name }) => name === origin?.name)) return undefined;
  return (name, path) => {
    const calls = collection.calls.map((call) =>
      call.name === origin?.name ? { ...call, sets: { ...call.sets, [name]: path } } : call,
    );
    return save(collection.name, calls, collection);
  };
}
