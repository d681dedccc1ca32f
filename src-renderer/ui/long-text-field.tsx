/** In the place of a text area: a text that is too long to be edited there without freezing the page. */

import { Button, Input } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { LongText } from './long-text.js';

interface LongTextFieldProps {
  readonly label: string | undefined;
  readonly error: ReactNode;
  readonly children: string;
  readonly onEdit: () => void;
  readonly onClear: () => void;
}

export function LongTextField({ label, error, children, onEdit, onClear }: LongTextFieldProps) {
  const edit = useRef<HTMLButtonElement>(null);
  // A long text that was pasted takes the place of the field that had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) edit.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Input.Wrapper error={error}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of fields. */}
      <div role="group" aria-label={label} className="long-text-field">
        <LongText>{children}</LongText>
        <div className="long-text-field-actions">
          <Button ref={edit} variant="default" size="compact-xs" onClick={onEdit}>
            Edit
          </Button>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={onClear}>
            Clear
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}
