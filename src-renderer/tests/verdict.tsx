/** The shape that stands for how a test went. */

import { Glyph, type GlyphKind } from '../components/glyph.js';
import type { TestVerdict } from '../data/test-runs.js';

const GLYPH: Record<TestVerdict, GlyphKind> = {
  passed: 'good',
  failed: 'blocking',
  running: 'pending',
  waiting: 'pending',
  'not run': 'class',
};

export function VerdictGlyph({ verdict }: { verdict: TestVerdict }) {
  // Where a test passed no word stands beside it.
  return <Glyph kind={GLYPH[verdict]} size={11} {...(verdict === 'passed' ? { label: 'passed' } : {})} />;
}
