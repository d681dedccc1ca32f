/** The clause and values in the address, for which a false fact is explained. */

import { useMemo } from 'react';
import type { ExplainRequest } from '../../../../src-runtime/api/schemas/explain-request.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { useUrlText } from '../../../state/url-text.js';

export type ClauseValues = NonNullable<ExplainRequest['given']>;

export function useClauseValues(): readonly [
  ClauseValues | undefined,
  (clauseValues: ClauseValues | undefined) => void,
] {
  const [text, setText] = useUrlText('given');
  const clauseValues = useMemo(() => parsed(text), [text]);
  return [clauseValues, (next) => setText(next === undefined ? '' : JSON.stringify(next))];
}

/** Undefined if absent or malformed. */
function parsed(text: string): ClauseValues | undefined {
  if (text === '') return undefined;
  try {
    const { clause, values } = JSON.parse(text) as Partial<ClauseValues>;
    if (typeof clause !== 'number' || typeof values !== 'object' || values === null) return undefined;
    return { clause, values: values as Record<string, JsonValue> };
  } catch {
    return undefined;
  }
}
