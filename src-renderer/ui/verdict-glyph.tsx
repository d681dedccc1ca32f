/** The shape that stands for how a test went. */

import type { TestVerdict } from '../model/facts/test-runs.js';
import { Glyph, type GlyphKind } from './glyph.js';

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
