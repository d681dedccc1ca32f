/** Glyph of a test verdict. */

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
  // A passed test has no word beside it.
  return <Glyph kind={GLYPH[verdict]} size={11} {...(verdict === 'passed' ? { label: 'passed' } : {})} />;
}
