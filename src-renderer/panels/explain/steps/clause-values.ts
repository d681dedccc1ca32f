/** The clause and values in the address, for which a false fact is explained. */

import { useMemo } from 'react';
import type { ExplainRequest } from '../../../../src-runtime/api/schemas/explain-request.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { useUrlText } from '../../../state/url-text.js';

export type Given = NonNullable<ExplainRequest['given']>;

export function useGiven(): readonly [Given | undefined, (given: Given | undefined) => void] {
  const [text, setText] = useUrlText('given');
  const given = useMemo(() => parsed(text), [text]);
  return [given, (next) => setText(next === undefined ? '' : JSON.stringify(next))];
}

/** Undefined if absent or malformed. */
function parsed(text: string): Given | undefined {
  if (text === '') return undefined;
  try {
    const { clause, values } = JSON.parse(text) as Partial<Given>;
    if (typeof clause !== 'number' || typeof values !== 'object' || values === null) return undefined;
    return { clause, values: values as Record<string, JsonValue> };
  } catch {
    return undefined;
  }
}
