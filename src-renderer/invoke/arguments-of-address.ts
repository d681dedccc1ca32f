/** An address may bring arguments: the form is filled with them, and the address goes on without them. */

import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { parseWithAllDigits } from '../../src-runtime/base/exact-json.js';
import { emptyValue, formValue } from '../data/form-model.js';
import { ARGUMENTS_PARAMETER } from '../data/locations.js';
import { escapedValue } from '../data/variables.js';
import { callDrafts } from './call-store.js';
import { callTabs, touched } from './call-tabs.js';
import type { Callable } from './callables.js';

export function useArgumentsOfAddress({ parameters }: Callable, tab: string): void {
  const [search, setSearch] = useSearchParams();
  const text = search.get(ARGUMENTS_PARAMETER);
  useEffect(() => {
    if (text === null) return;
    const args = readArguments(text);
    if (args !== undefined) {
      const form = Object.fromEntries(
        parameters.map(({ name, type }) => {
          const value = args[name];
          return [name, value === undefined ? emptyValue(type) : formValue(type, value)];
        }),
      );
      callTabs.update((tabs) => touched(tabs, tab));
      callDrafts.update((current) => ({
        ...current,
        [tab]: { mode: 'form', form, json: JSON.stringify(args, null, 2) },
      }));
    }
    setSearch(
      (current) => {
        current.delete(ARGUMENTS_PARAMETER);
        return current;
      },
      { replace: true },
    );
  }, [text, tab, parameters, setSearch]);
}

function readArguments(text: string): Record<string, JsonValue> | undefined {
  try {
    const value = parseWithAllDigits(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // What was sent once is sent again as it was: braces in it name no variable.
    return isObject ? (escapedValue(value as JsonValue) as Record<string, JsonValue>) : undefined;
  } catch {
    return undefined;
  }
}
