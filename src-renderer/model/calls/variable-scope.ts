/** The variables for calls: those of the selected environment, a file next to the module, and those set on the page. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';
import {
  createPersistentStore,
  createStore,
  isRecordOf,
  mergedMembers,
  type Store,
  useStore,
} from '../../state/store.js';
import type { VariableScope } from './variable-arguments.js';
import type { Variables } from './variables.js';

interface SelectedEnvironment {
  /** Empty for none. */
  readonly name: string;
  /** As last read from its file, so that they are available for the first request of the page. */
  readonly variables: Variables;
}

const NONE: SelectedEnvironment = { name: '', variables: {} };

const isText = (value: unknown): value is string => typeof value === 'string';
const isVariables = (value: unknown): value is Variables => isRecordOf(value, isText);
const isSelected = (value: unknown): value is SelectedEnvironment => {
  const selected = value as Partial<SelectedEnvironment> | null;
  return typeof selected === 'object' && selected !== null && isText(selected.name) && isVariables(selected.variables);
};

export const selectedEnvironment = createPersistentStore<SelectedEnvironment>('entail.environment', NONE, isSelected);

/** Set from responses and not stored in a file; they override those of the environment. */
export const ownVariables = createPersistentStore<Variables>('entail.variables', {}, isVariables, {
  merge: mergedMembers,
});

/** The current values. */
export const variableScope: Store<VariableScope> = createStore(currentScope());
for (const part of [selectedEnvironment, ownVariables]) part.subscribe(() => variableScope.set(currentScope()));

function currentScope(): VariableScope {
  const { name, variables } = selectedEnvironment.get();
  return { environment: name, variables: { ...variables, ...ownVariables.get() } };
}

export function useVariableScope(): VariableScope {
  return useStore(variableScope);
}

export function selectEnvironment(environment: Pick<Environment, 'name' | 'variables'> | undefined): void {
  selectedEnvironment.set(
    environment === undefined ? NONE : { name: environment.name, variables: environment.variables },
  );
}

export function setOwnVariable(name: string, value: string): void {
  ownVariables.update((own) => ({ ...own, [name]: value }));
}

export function forgetOwnVariable(name: string): void {
  ownVariables.update(({ [name]: _, ...others }) => others);
}
