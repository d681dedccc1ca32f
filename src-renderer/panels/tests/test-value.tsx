/** A value in a failed expectation, as source text with labels. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from '../../model/facts/labels.js';
import { ReferenceLabel } from '../../ui/reference-label.js';

export function TestValue({ value }: { value: JsonValue }) {
  if (Array.isArray(value)) {
    return (
      <>
        [
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no key other than their index.
          <span key={index}>
            {index > 0 && ', '}
            <TestValue value={item} />
          </span>
        ))}
        ]
      </>
    );
  }
  if (typeof value !== 'object' || value === null || isEntity(value)) return <ReferenceLabel value={value} />;
  return (
    <>
      {'{ '}
      {Object.entries(value).map(([name, member], index) => (
        <span key={name}>
          {index > 0 && ', '}
          {name}: <TestValue value={member} />
        </span>
      ))}
      {' }'}
    </>
  );
}
