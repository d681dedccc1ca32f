/** Inserts a variable without typing; the only way in fields that take no text, such as dates. */

import { ActionIcon, Menu } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { clsx } from 'clsx';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { generatedVariablesFor } from '../../model/calls/generated-variables.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { inBrief } from '../../model/facts/labels.js';
import { sortedByName } from '../../model/text/natural-order.js';
import { LINE_LETTERS_MAX } from '../../ui/brief.js';
import { GeneratedVariableLabel } from './generated-variable-label.js';
import styles from './variables.module.css';

interface VariableMenuProps {
  /** Label of the field. */
  readonly label: string;
  /** Expected type. */
  readonly wanted: WireType;
  /** Receives the reference with braces. */
  readonly onPick: (reference: string) => void;
  /** Restores a plain value; absent if the field has one. */
  readonly onClear: (() => void) | undefined;
}

export function VariableMenu({ label, wanted, onPick, onClear }: VariableMenuProps) {
  const { variables } = useVariableScope();
  const names = sortedByName(Object.keys(variables), (name) => name);
  const made = generatedVariablesFor(wanted);
  if (names.length === 0 && made.length === 0 && onClear === undefined) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={`Use a variable for ${label}`}>
          <IconBraces size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={styles.variableMenu}>
        {names.map((name) => (
          <Menu.Item
            key={name}
            rightSection={
              <span className={clsx('mono', 'dim', 'cut', styles.variableValue)}>
                {inBrief(variables[name] ?? '', LINE_LETTERS_MAX)}
              </span>
            }
            onClick={() => onPick(`{{${name}}}`)}
          >
            {name}
          </Menu.Item>
        ))}
        {names.length > 0 && made.length > 0 && <Menu.Divider />}
        {made.length > 0 && <Menu.Label>Generated when sent</Menu.Label>}
        {made.map((variable) => (
          <Menu.Item key={variable.name} onClick={() => onPick(`{{${variable.name}}}`)}>
            <GeneratedVariableLabel variable={variable} />
          </Menu.Item>
        ))}
        {onClear !== undefined && <Menu.Item onClick={onClear}>Remove variable</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
