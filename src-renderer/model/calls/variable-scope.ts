/** The variables that calls are sent with: those of the chosen environment, a file beside the module, and those that were set here. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';
import { createKeptStore, createStore, isRecordOf, mergedMembers, type Store, useStore } from '../../state/store.js';
import type { VariableScope } from './variable-arguments.js';
import type { Variables } from './variables.js';

interface ChosenEnvironment {
  /** Empty for none. */
  readonly name: string;
  /** As its file had them when it was last read, so that the page knows them from its first request on. */
  readonly variables: Variables;
}

const NONE: ChosenEnvironment = { name: '', variables: {} };

const isText = (value: unknown): value is string => typeof value === 'string';
const isVariables = (value: unknown): value is Variables => isRecordOf(value, isText);
const isSelected = (value: unknown): value is ChosenEnvironment => {
  const selected = value as Partial<ChosenEnvironment> | null;
  return typeof selected === 'object' && selected !== null && isText(selected.name) && isVariables(selected.variables);
};

export const chosenEnvironment = createKeptStore<ChosenEnvironment>('entail.environment', NONE, isSelected);

/** Set from answers, and in no file; they go before those of the environment. */
export const ownVariables = createKeptStore<Variables>('entail.variables', {}, isVariables, { merge: mergedMembers });

/** What variables come to now. */
export const variableScope: Store<VariableScope> = createStore(currentScope());
for (const part of [chosenEnvironment, ownVariables]) part.subscribe(() => variableScope.set(currentScope()));

function currentScope(): VariableScope {
  const { name, variables } = chosenEnvironment.get();
  return { environment: name, variables: { ...variables, ...ownVariables.get() } };
}

export function useVariableScope(): VariableScope {
  return useStore(variableScope);
}

export function chooseEnvironment(environment: Pick<Environment, 'name' | 'variables'> | undefined): void {
  chosenEnvironment.set(
    environment === undefined ? NONE : { name: environment.name, variables: environment.variables },
  );
}

export function setOwnVariable(name: string, value: string): void {
  ownVariables.update((own) => ({ ...own, [name]: value }));
}

export function forgetOwnVariable(name: string): void {
  ownVariables.update(({ [name]: _, ...others }) => others);
}
