/** Selects the environment of calls, with a button that opens its variables. */

import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { selectEnvironment, selectedEnvironment } from '../../model/calls/variable-scope.js';
import { useEnvironments } from '../../server-state/environments.js';
import { useStore } from '../../state/store.js';
import { environmentSheet, openEnvironmentSheet } from './environment-draft.js';
import { environmentOptions } from './environment-options.js';
import { EnvironmentSheet } from './environment-sheet.js';
import styles from './variables.module.css';

const NO_ENVIRONMENT = '';

export function EnvironmentSwitch() {
  const environments = useEnvironments().data ?? [];
  const { name } = useStore(selectedEnvironment);
  const opened = useStore(environmentSheet);
  return (
    <div className={styles.environmentSwitch}>
      <Select
        aria-label="Environment"
        size="xs"
        value={name}
        data={[{ value: NO_ENVIRONMENT, label: 'No environment' }, ...environmentOptions(environments, name)]}
        allowDeselect={false}
        onChange={(value) => selectEnvironment(environments.find((each) => each.name === value))}
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
