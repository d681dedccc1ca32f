/** Shapes that accompany colours: one shape per meaning. */

import type { ReactElement } from 'react';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';

export type GlyphKind =
  | 'declared'
  | 'stored'
  | 'derived'
  | 'absent'
  | 'test'
  | 'aggregate'
  | 'contribution'
  | 'class'
  | 'blocking'
  | 'warning'
  | 'good'
  | 'pending'
  | 'ref'
  | 'added'
  | 'removed'
  | 'changed';

export const FORK_STATUS_GLYPH: Readonly<Record<ForkInfo['status'], GlyphKind>> = {
  open: 'class',
  promoted: 'good',
  aborted: 'absent',
};

const COLOR: Record<GlyphKind, string> = {
  declared: 'var(--declared)',
  stored: 'var(--stored)',
  derived: 'var(--derived)',
  absent: 'var(--absent)',
  test: 'var(--text-dim)',
  aggregate: 'var(--text-dim)',
  contribution: 'var(--text-dim)',
  class: 'var(--text-dim)',
  blocking: 'var(--blocking)',
  warning: 'var(--warning)',
  good: 'var(--good)',
  pending: 'var(--text-dim)',
  ref: 'var(--text-dim)',
  added: 'var(--added)',
  removed: 'var(--removed)',
  changed: 'var(--changed)',
};

const SHAPE: Record<GlyphKind, ReactElement> = {
  declared: <path d="M7 1.5 12.5 7 7 12.5 1.5 7Z" fill="currentColor" />,
  stored: <rect x="2" y="2" width="10" height="10" rx="1.5" fill="currentColor" />,
  derived: (
    <g fill="currentColor">
      <circle cx="7" cy="3.6" r="2" />
      <circle cx="3.4" cy="10" r="2" />
      <circle cx="10.6" cy="10" r="2" />
    </g>
  ),
  absent: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5">
      <circle cx="7" cy="7" r="5" />
      <path d="M3.5 10.5l7-7" />
    </g>
  ),
  test: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
      <path d="M2.5 5h9M2.5 9h9" />
    </g>
  ),
  aggregate: (
    <path
      d="M10.8 3.4V2.4H3.2L7 7l-3.8 4.600h7.600v-1"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
    />
  ),
  contribution: (
    <g>
      <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="7" cy="7" r="2" fill="currentColor" />
    </g>
  ),
  added: (
    <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round">
      <path d="M7 2.5v9M2.5 7h9" />
    </g>
  ),
  removed: (
    <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round">
      <path d="M2.5 7h9" />
    </g>
  ),
  changed: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <path d="M7 1.500v6M4 4.500h6M4 11.500h6" />
    </g>
  ),
  class: <circle cx="7" cy="7" r="4.7" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  blocking: <path d="M4.5 1h5L13 4.500v5L9.5 13h-5L1 9.500v-5Z" fill="currentColor" />,
  warning: <path d="M7 1.5 13.2 12.500H.800Z" fill="currentColor" />,
  good: (
    <path
      d="M2.5 7.5 5.5 10.5 11.5 3.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  pending: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.5 2">
      <circle cx="7" cy="7" r="5" />
    </g>
  ),
  ref: (
    <path
      d="M3 2.500v4.500a2 2 0 0 0 2 2h6M8.5 6.5 11 9l-2.5 2.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

export function glyphColor(kind: GlyphKind): string {
  return COLOR[kind];
}

/** The bare shape on a 14 unit grid, for drawings with many. */
export function GlyphShape({ kind, color }: { kind: GlyphKind; color: string }) {
  return <g style={{ color }}>{SHAPE[kind]}</g>;
}

/** `label` is for screen readers, where no word accompanies the shape. */
export function Glyph({ kind, label, size = 12 }: { kind: GlyphKind; label?: string; size?: number }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by `aria-label`, or hidden beside a word.
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      style={{ color: COLOR[kind], flex: 'none' }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {SHAPE[kind]}
    </svg>
  );
}
