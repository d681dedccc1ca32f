/** A value of a fact: an individual by label, and a list or record with the labels in it. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { idLabel, isEntity } from '../../model/facts/labels.js';
import { nestedText } from '../../model/facts/value-text.js';
import { LongText } from '../../ui/long-text.js';
import { PlainValue, ReferenceLabel, useLabels } from '../../ui/reference-label.js';

export function ValueLabel({ value, reference }: { readonly value: JsonValue; readonly reference?: boolean }) {
  if (value === null || typeof value !== 'object' || isEntity(value)) {
    return <ReferenceLabel value={value} {...(reference !== undefined && { reference })} />;
  }
  return <Composite value={value} />;
}

/** A value that may be long, with the labels of the individuals in a list or record. */
export function LongValue({ value }: { readonly value: JsonValue }) {
  const isComposite = value !== null && typeof value === 'object' && !isEntity(value);
  return isComposite ? <LongComposite value={value} /> : <LongText>{nestedText(value)}</LongText>;
}

function LongComposite({ value }: { readonly value: JsonValue }) {
  const { get } = useLabels();
  return <LongText>{nestedText(value, (id) => get(id) ?? idLabel(id))}</LongText>;
}

/** A separate component, so that labels load only if needed. */
function Composite({ value }: { readonly value: JsonValue }) {
  const { get } = useLabels();
  return <PlainValue text={nestedText(value, (id) => get(id) ?? idLabel(id))} />;
}
