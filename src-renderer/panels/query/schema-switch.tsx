/** Shows the schema beside the text, or takes it away: as it was chosen last, and until then where there is room for it. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconListTree } from '@tabler/icons-react';
import { useState } from 'react';
import { createKeptStore, useStore } from '../../state/store.js';
import { useIsNarrow } from '../../ui/panes/panes.js';

const CHOICES = ['by room', 'shown', 'hidden'] as const;
type Choice = (typeof CHOICES)[number];

const isChoice = (value: unknown): value is Choice => CHOICES.some((choice) => choice === value);

const choice = createKeptStore<Choice>('entail.query-schema-shown', 'by room', isChoice);

/** Text, result and what is kept keep their width beside it. */
const ROOMY = '(min-width: 1600px)';

export function useSchemaShown(): [boolean, (isShown: boolean) => void] {
  const chosen = useStore(choice);
  const isRoomy = useMediaQuery(ROOMY, false, { getInitialValueInEffect: false });
  const isNarrow = useIsNarrow();
  // It would stand before the text, and push it out of sight.
  const [isOpened, setOpened] = useState(false);
  if (isNarrow) return [isOpened, setOpened];
  const isShown = chosen === 'by room' ? isRoomy : chosen === 'shown';
  return [isShown, (shown) => choice.set(shown ? 'shown' : 'hidden')];
}

interface SchemaSwitchProps {
  readonly isShown: boolean;
  readonly onChange: (isShown: boolean) => void;
}

export function SchemaSwitch({ isShown, onChange }: SchemaSwitchProps) {
  return (
    <Tooltip label="What can be asked">
      <ActionIcon aria-label="Schema" aria-pressed={isShown} onClick={() => onChange(!isShown)}>
        <IconListTree size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
