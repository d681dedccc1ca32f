/** A reference to the result of an earlier batch step, in place of a value. */

import { ActionIcon, Menu, Select } from '@mantine/core';
import { IconCornerLeftUp, IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { createContext, useContext } from 'react';
import fieldInputStyles from './field-input.module.css';
import styles from './step-reference.module.css';
import variablesStyles from './variables.module.css';

export interface EarlierStep {
  readonly index: number;
  /** Name of the callable. */
  readonly name: string;
  /** Type of the result, or undefined if none exists. */
  readonly gives: string | undefined;
}

/** Steps that a field may reference; empty outside of a batch. */
export const EarlierSteps = createContext<readonly EarlierStep[]>([]);

interface StepMenuProps {
  /** Label of the field. */
  readonly label: string;
  readonly onPick: (step: string) => void;
}

/** Renders nothing if no step has a result. */
export function StepMenu({ label, onPick }: StepMenuProps) {
  const steps = useContext(EarlierSteps).filter(({ gives }) => gives !== undefined);
  if (steps.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={`Use a step result for ${label}`}>
          <IconCornerLeftUp size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={variablesStyles.variableMenu}>
        {steps.map((step) => (
          <Menu.Item
            key={step.index}
            rightSection={
              <span className={clsx('mono', 'dim', 'cut', variablesStyles.variableValue)}>{step.gives}</span>
            }
            onClick={() => onPick(String(step.index))}
          >
            {wordsOf(step)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface StepReferenceProps {
  readonly step: string;
  /** Label of the field. */
  readonly label: string;
  readonly error: string | undefined;
  readonly onPick: (step: string) => void;
  readonly onRemove: () => void;
}

/** The referenced step. An invalid reference is shown as such. */
export function StepReference({ step, label, error, onPick, onRemove }: StepReferenceProps) {
  const steps = useContext(EarlierSteps);
  const offered = steps.filter(({ index, gives }) => gives !== undefined || String(index) === step);
  const data = offered.map((each) => ({ value: String(each.index), label: wordsOf(each) }));
  const isKnown = data.some(({ value }) => value === step);
  const broken = /^\d+$/.test(step) ? `Result of step ${step}, which runs later` : 'Result of a removed step';
  return (
    <>
      <Select
        className={clsx(fieldInputStyles.fieldGrow, styles.stepReference)}
        aria-label={label}
        value={step}
        data={isKnown ? data : [...data, { value: step, label: broken, disabled: true }]}
        data-broken={!isKnown}
        leftSection={<IconCornerLeftUp size={14} aria-hidden />}
        allowDeselect={false}
        error={error}
        onChange={(value) => value !== null && onPick(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Delete' && event.key !== 'Backspace') return;
          event.preventDefault();
          onRemove();
        }}
      />
      <ActionIcon aria-label={`Remove step result from ${label}`} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </>
  );
}

function wordsOf({ index, name }: EarlierStep): string {
  return `Result of step ${index}, ${name}`;
}
