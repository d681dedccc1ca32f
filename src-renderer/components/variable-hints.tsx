/** What the variables in a text come to, under its field; one that is not defined is offered to be. */

import { Button } from '@mantine/core';
import { useVariableScope } from '../data/variable-scope.js';
import { namesIn, variableValue } from '../data/variables.js';
import { Cut } from './cut.js';
import { openEnvironmentSheet } from './environment-draft.js';
import './variables.css';

export function VariableHints({ text }: { text: string }) {
  const { variables } = useVariableScope();
  const names = namesIn(text);
  if (names.length === 0) return null;
  return (
    <ul className="variable-hints" aria-label="Variables">
      {names.map((name) => {
        const value = variableValue(name, variables);
        return (
          <li key={name}>
            {value === undefined ? (
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
