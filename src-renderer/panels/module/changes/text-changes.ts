/** A line diff of two texts, with context. */

import { structuredPatch } from 'diff';

export interface ChangedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** The line number in the later text. A removed line has the number of the line that follows it. */
  readonly line: number;
}

export interface TextChanges {
  readonly added: number;
  readonly removed: number;
  /** Hunks of consecutive lines. */
  readonly parts: readonly (readonly ChangedLine[])[];
}

const LINES_AROUND = 3;
const KINDS: Readonly<Record<string, ChangedLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

export function textChanges(before: string, after: string): TextChanges {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: LINES_AROUND });
  const parts = hunks.map(({ newStart, lines }) => {
    let line = newStart;
    return lines.flatMap((text): ChangedLine[] => {
      // Other lines say that a file lacks its last line break.
      const kind = KINDS[text.charAt(0)];
      if (kind === undefined) return [];
      const changed = { kind, text: text.slice(1), line };
      if (kind !== 'removed') line += 1;
      return [changed];
    });
  });
  const count = (kind: ChangedLine['kind']) => parts.flat().filter((each) => each.kind === kind).length;
  return { added: count('added'), removed: count('removed'), parts };
}
