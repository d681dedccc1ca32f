/** What became of a field while it was edited: another value, or an individual that is gone; nobody's write is lost unseen. */

import { Button } from '@mantine/core';
import type { Ref } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { plainText } from '../../../model/facts/labels.js';
import { Glyph } from '../../../ui/glyph.js';
import { LongText } from '../../../ui/long-text.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { type Field, isReferenceField } from './settable.js';

interface EditConflictProps {
  readonly field: Field;
  /** What it is now. */
  readonly value: JsonValue;
  /** Has the focus where somebody saves without having chosen. */
  readonly keep: Ref<HTMLButtonElement>;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

export function EditConflict({ field, value, keep, onKeep, onTake }: EditConflictProps) {
  return (
    <div role="alert" className="edit-conflict">
      <p>
        <Glyph kind="warning" /> Somebody {value === null ? 'emptied it meanwhile.' : 'set it meanwhile, to '}
        {value !== null && (
          <strong>
            {isReferenceField(field.type) ? (
              <ReferenceLabel value={value} reference />
            ) : (
              <LongText>{plainText(value)}</LongText>
            )}
          </strong>
        )}
      </p>
      <div className="entity-edit-actions">
        <Button ref={keep} variant="default" size="compact-sm" onClick={onKeep}>
          Keep what I typed
        </Button>
        <Button variant="default" size="compact-sm" onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}

export function EditedIsGone() {
  return (
    <p role="alert" className="edit-conflict">
      <Glyph kind="warning" /> It was deleted meanwhile, so that nothing can be set. What you typed can still be copied.
    </p>
  );
}
