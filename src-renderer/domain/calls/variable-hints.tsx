/** The values of the variables in a text. Offers to define unknown ones. */

import { Button } from '@mantine/core';
import { generatedVariable, isGeneratedName } from '../../model/calls/generated-variables.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { namesIn, variableValue } from '../../model/calls/variables.js';
import { Cut } from '../../ui/cut.js';
import { openEnvironmentSheet } from './environment-draft.js';
import styles from './variables.module.css';

export function VariableHints({ text }: { text: string }) {
  const { variables } = useVariableScope();
  const names = namesIn(text);
  if (names.length === 0) return null;
  return (
    <ul className={styles.variableHints} aria-label="Variables">
      {names.map((name) => {
        const made = generatedVariable(name);
        const value = variableValue(name, variables);
        // The error message of the field covers unknown generated variables.
        if (isGeneratedName(name) && made === undefined) return null;
        return (
          <li key={name}>
            {made !== undefined ? (
              <Cut>
                <span className="dim">
                  {name}: {made.meaning}, for example{' '}
                </span>
                <span className="mono">{made.example}</span>
              </Cut>
            ) : value === undefined ? (
              <Button variant="subtle" size="compact-xs" onClick={() => openEnvironmentSheet(name)}>
                Define {name}
              </Button>
            ) : (
              <Cut>
                <span className="dim">{name} = </span>
                <span className="mono">{value === '' ? '(empty)' : value}</span>
              </Cut>
            )}
          </li>
        );
      })}
    </ul>
  );
}
