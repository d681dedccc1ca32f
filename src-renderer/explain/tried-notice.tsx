/** Says that what is shown is how it would be after a call that is only tried, and leads to how it is. */

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { ForkName } from '../components/fork-name.js';
import { Glyph } from '../components/glyph.js';
import { explainLocation, shortName } from '../data/locations.js';
import { usePlace } from '../data/place.js';
import { readTried, triedPaths } from '../data/tried-call.js';

interface TriedNoticeProps {
  readonly after: string;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function TriedNotice({ after, relation, tuple }: TriedNoticeProps) {
  const { fork } = usePlace();
  const tried = readTried(after);
  const paths = tried === undefined ? [] : triedPaths(tried);
  const [first] = paths;
  return (
    <section className="notice" aria-label="Tried state">
      <Glyph kind="changed" />
      <div className="notice-body" role="status">
        What is shown is how it would be on <ForkName id={fork} /> after{' '}
        {first === undefined ? 'the changes that were tried' : <span className="mono">{shortName(first)}</span>}
        {paths.length > 1 && ` and ${paths.length - 1} more`}. Nothing of it is kept.
      </div>
      <Button component={Link} variant="default" size="compact-xs" to={explainLocation(relation, tuple)}>
        Ask it now
      </Button>
    </section>
  );
}
