/** The marks of an explanation: short labels with a glyph and a tooltip. */

import { Tooltip } from '@mantine/core';
import { Glyph, type GlyphKind } from '../../../ui/glyph.js';
import styles from '../explain.module.css';
import type { Mark } from './proof-choice.js';

const GLYPH: Record<Mark['tone'], GlyphKind | undefined> = {
  good: 'good',
  absent: 'absent',
  warning: 'warning',
  plain: undefined,
};

export function Marks({ marks }: { marks: readonly Mark[] }) {
  return (
    <ul className={styles.marks} aria-label="About this explanation">
      {marks.map(({ text, tip, tone }) => {
        const glyph = GLYPH[tone];
        return (
          <Tooltip key={text} label={tip}>
            <li className={styles.mark} data-tone={tone}>
              {glyph !== undefined && <Glyph kind={glyph} size={10} />}
              {text}
            </li>
          </Tooltip>
        );
      })}
    </ul>
  );
}
