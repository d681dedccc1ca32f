/** Says that what is shown is how it was before a transaction or a reload, and leads to that and to how it is now. */

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { usePlace } from '../../model/calls/place.js';
import { explainLocation, historyLocation, type OtherState } from '../../model/facts/locations.js';
import { Glyph } from '../../ui/glyph.js';

interface PastNoticeProps {
  readonly past: OtherState;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function PastNotice({ past: { before, rules }, relation, tuple }: PastNoticeProps) {
  const { fork } = usePlace();
  const transaction = before !== undefined && (
    <>
      {' '}
      before{' '}
      <Link className="link" to={historyLocation(fork, before)}>
        transaction {before.toLocaleString('en')}
      </Link>
    </>
  );
  return (
    <section className="notice" aria-label="Earlier state">
      <Glyph kind="changed" />
      <div className="notice-body" role="status">
        What is shown is how it was on <ForkName id={fork} />
        {transaction}
        {rules === undefined
          ? ', by the rules of now.'
          : ' before the last reload of the module, by the rules of then, which have been replaced.'}
      </div>
      <Button component={Link} variant="default" size="compact-xs" to={explainLocation(relation, tuple)}>
        {rules === undefined ? 'Ask it now' : 'Ask it by the rules of now'}
      </Button>
    </section>
  );
}
