/** Says that what is shown is how it was before a transaction, and leads to that and to how it is now. */

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { ForkName } from '../components/fork-name.js';
import { Glyph } from '../components/glyph.js';
import { explainLocation, historyLocation } from '../data/locations.js';
import { usePlace } from '../data/place.js';

interface PastNoticeProps {
  readonly txn: number;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function PastNotice({ txn, relation, tuple }: PastNoticeProps) {
  const { fork } = usePlace();
  return (
    <section className="notice" aria-label="Earlier state">
      <Glyph kind="changed" />
      <div className="notice-body" role="status">
        What is shown is how it was on <ForkName id={fork} /> before{' '}
        <Link className="link" to={historyLocation(fork, txn)}>
          transaction {txn.toLocaleString('en')}
        </Link>
        , by the rules of now.
      </div>
      <Button component={Link} variant="default" size="compact-xs" to={explainLocation(relation, tuple)}>
        Ask it now
      </Button>
    </section>
  );
}
