/** Which environment calls are sent with, chosen in one control; beside it what opens its variables. */

import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useEnvironments } from '../data/environments.js';
import { useStore } from '../data/store.js';
import { chooseEnvironment, chosenEnvironment } from '../data/variable-scope.js';
import { environmentSheet, openEnvironmentSheet } from './environment-draft.js';
import { EnvironmentSheet } from './environment-sheet.js';
import './variables.css';

const NO_ENVIRONMENT = '';

export function EnvironmentSwitch() {
  const environments = useEnvironments().data ?? [];
  const { name } = useStore(chosenEnvironment);
  const opened = useStore(environmentSheet);
  // The chosen one is known before its file is listed.
  const names = new Set([...(name === '' ? [] : [name]), ...environments.map((each) => each.name)]);
  return (
    <div className="environment-switch">
      <Select
        aria-label="Environment"
        size="xs"
        value={name}
        data={[
          { value: NO_ENVIRONMENT, label: 'No environment' },
          ...[...names].map((each) => ({ value: each, label: each })),
        ]}
        allowDeselect={false}
        onChange={(value) => chooseEnvironment(environments.find((each) => each.name === value))}
      />
      <Tooltip label="Variables">
        <ActionIcon aria-label="Variables" onClick={() => openEnvironmentSheet()}>
          <IconBraces size={16} />
        </ActionIcon>
      </Tooltip>
      {opened !== undefined && <EnvironmentSheet wanted={opened.wanted} />}
    </div>
  );
}
