/** A value that may be long, with the labels of the individuals in a list or record. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { idLabel, isEntity } from '../../model/facts/labels.js';
import { nestedText } from '../../model/facts/value-text.js';
import { LongText } from '../../ui/long-text.js';
import { useLabels } from '../../ui/reference-label.js';

export function LongValue({ value }: { readonly value: JsonValue }) {
  const isComposite = value !== null && typeof value === 'object' && !isEntity(value);
  return isComposite ? <Composite value={value} /> : <LongText>{nestedText(value)}</LongText>;
}

/** A separate component, so that labels load only if needed. */
function Composite({ value }: { readonly value: JsonValue }) {
  const { get } = useLabels();
  return <LongText>{nestedText(value, (id) => get(id) ?? idLabel(id))}</LongText>;
}
