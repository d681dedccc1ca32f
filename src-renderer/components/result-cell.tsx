/** One cell of a result: a value as it is, an individual by its name, which leads to why it stands there. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { isEntity } from '../data/labels.js';
import { explainLocation } from '../data/locations.js';
import { navigationFact } from '../data/row-facts.js';
import { Cut } from './cut.js';
import { ReferenceLabel } from './reference-label.js';

/** By what a cell refers to, where one sees why: the fact behind a navigation field, stored or derived. */
export type WhyOf = ((value: JsonValue) => string | undefined) | undefined;

export function whyOf(schema: ServedSchema, row: JsonValue, column: string | undefined): WhyOf {
  if (column === undefined || !isEntity(row)) return undefined;
  return (value) => {
    const fact = navigationFact(schema, row, column, value);
    return fact === undefined ? undefined : explainLocation(fact.relation, fact.tuple);
  };
}

/** One cell. An absent value is a dash, so that it is not taken for an empty text. */
export function Cell({ value, whyOf }: { value: JsonValue; whyOf?: WhyOf }) {
  if (value === null) {
    return (
      <span className="dim" title="none">
        –
      </span>
    );
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="dim">none</span>;
    return (
      <Cut>
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no identity but their place.
          <span key={index}>
            {index > 0 && ', '}
            <ReferenceLabel value={item} to={whyOf?.(item)} />
          </span>
        ))}
      </Cut>
    );
  }
  if (typeof value === 'object' && !isEntity(value)) return <Cut className="mono">{JSON.stringify(value)}</Cut>;
  return (
    <Cut>
      <ReferenceLabel value={value} to={whyOf?.(value)} />
    </Cut>
  );
}
