/** Over a comparison: which kinds of differences are shown, each with how many there are. */

import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import { Glyph } from '../../../ui/glyph.js';
import { CHANGE_WORDS } from '../fork-words.js';
import { CHANGES, type ChangeCounts, toggled } from './comparison-filter.js';
import type { Change } from './comparison-rows.js';
import type { Sides } from './use-comparison.js';

interface DifferenceKindsProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly of: Sides['of'];
  /** Of the relations that are shown; undefined until every layer is counted. */
  readonly counts: ChangeCounts | undefined;
  readonly kinds: readonly Change[];
  readonly onChange: (kinds: readonly Change[]) => void;
}

export function DifferenceKinds({ ref, of, counts, kinds, onChange }: DifferenceKindsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of one kind, which are no form.
    <div ref={ref} className="difference-kinds" role="group" aria-label="Which differences are shown">
      {CHANGES.map((change) => {
        const isOn = kinds.includes(change);
        return (
          <Button
            key={change}
            className="difference-kind numeric"
            variant={isOn ? 'light' : 'subtle'}
            color={isOn ? 'accent' : 'gray'}
            size="compact-xs"
            aria-pressed={isOn}
            leftSection={<Glyph kind={change} />}
            onClick={() => onChange(toggled(kinds, change))}
          >
            {CHANGE_WORDS[of][change]}
            {counts !== undefined && (
              <span className="difference-kind-count">{counts[change].toLocaleString('en')}</span>
            )}
          </Button>
        );
      })}
    </div>
  );
}
