/** Keeps a value of the last answer as a variable, for the calls after it. */

import { Autocomplete, Button, Popover, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useMemo, useState } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { VARIABLE_NAME } from '../../src-runtime/api/wire-constants.js';
import { setOwnVariable, useVariableScope } from '../data/variable-scope.js';
import { answerValues, namedAfter } from './answer-values.js';

/** `answer` undefined while there is none. */
export function SetVariable({ answer }: { answer: JsonValue | undefined }) {
  const [opened, setOpened] = useState(false);
  const isEmpty = answer === undefined || answer === null || (Array.isArray(answer) && answer.length === 0);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="subtle" color="gray" disabled={isEmpty} onClick={() => setOpened((shown) => !shown)}>
          Set variable…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {answer !== undefined && <VariableForm answer={answer} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function VariableForm({ answer, onDone }: { answer: JsonValue; onDone: () => void }) {
  const values = useMemo(() => answerValues(answer), [answer]);
  const [path, setPath] = useState<string | null>(values[0]?.path ?? null);
  const [name, setName] = useState(() => namedAfter(answer));
  const known = Object.keys(useVariableScope().variables);
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
      <Autocomplete
        label="Variable"
        value={name}
        data={known}
        error={error}
        data-autofocus
        onChange={setName}
        comboboxProps={{ withinPortal: false }}
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
