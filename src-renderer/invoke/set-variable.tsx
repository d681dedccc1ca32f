/** Keeps a value of the last answer as a variable, for the calls after it. */

import { Button, Popover, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useMemo, useState } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { VARIABLE_NAME } from '../../src-runtime/api/wire-constants.js';
import { chosenEnvironment, setOwnVariable } from '../data/variable-scope.js';
import { answerValues, namedAfter } from './answer-values.js';

export function SetVariable({ answer }: { answer: JsonValue }) {
  const [opened, setOpened] = useState(false);
  if (answer === null || (Array.isArray(answer) && answer.length === 0)) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setOpened((shown) => !shown)}>
          Set variable…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <VariableForm answer={answer} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function VariableForm({ answer, onDone }: { answer: JsonValue; onDone: () => void }) {
  const values = useMemo(() => answerValues(answer), [answer]);
  const [path, setPath] = useState<string | null>(values[0]?.path ?? null);
  const [name, setName] = useState(() => namedAfter(answer, chosenEnvironment.get().variables));
  const [error, setError] = useState<string | undefined>(undefined);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const chosen = values.find((each) => each.path === path);
    if (!VARIABLE_NAME.test(name.trim())) setError('Letters, digits, . _ and -, beginning with a letter or _.');
    else if (chosen !== undefined) {
      setOwnVariable(name.trim(), chosen.text);
      notifications.show({ message: `{{${name.trim()}}} is ${chosen.text} from now on, here and in no file.` });
      onDone();
    }
  };
  return (
    <form className="save-call" onSubmit={onSubmit}>
      <TextInput
        label="Variable"
        value={name}
        error={error}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Value"
        description="Of the answer, by its path in the result."
        searchable
        limit={50}
        value={path}
        data={values.map((each) => ({ value: each.path, label: `${each.path}  ${each.text}` }))}
        onChange={setPath}
        comboboxProps={{ withinPortal: false }}
      />
      <Button type="submit">Set</Button>
    </form>
  );
}
