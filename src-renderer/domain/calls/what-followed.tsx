/** What follows from a write that was kept: facts that are derived from it or no longer are, and checks that no longer fire. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { SentCall } from '../../model/calls/calls.js';
import { useTransactionEffects } from '../../server-state/facts.js';
import type { CallAnswer } from '../../server-state/send-call.js';
import { LoadFailure } from '../failure/states.js';
import { EffectsView } from './effects-view.js';

/**
 * The server replays the history before a transaction to tell: of so many events that takes it some tenths of a second. For a longer one
 * somebody has to ask, as it is everybody's server.
 */
const REPLAYED_UNASKED_MAX = 20_000;

interface WhatFollowedProps {
  readonly call: SentCall;
  readonly answer: CallAnswer;
  readonly schema: ServedSchema;
}

/** Nothing for what wrote nothing, or tells it itself as a dry run does. */
export function WhatFollowed({ call, answer, schema }: WhatFollowedProps) {
  const written = writtenIn(answer);
  if (written === undefined) return null;
  return <Followed key={`${call.fork} ${written.txn}`} {...written} call={call} schema={schema} />;
}

interface WrittenTransaction {
  readonly txn: number;
  /** The number of its first event, before which there are less. */
  readonly seq: number;
}

function writtenIn({ written, steps }: CallAnswer): WrittenTransaction | undefined {
  for (const { txn, events, effects } of [...(written === undefined ? [] : [written]), ...(steps ?? [])]) {
    const seq = events?.[0]?.seq;
    if (typeof txn === 'number' && seq !== undefined && effects === undefined) return { txn, seq };
  }
  return undefined;
}

type FollowedProps = WrittenTransaction & Omit<WhatFollowedProps, 'answer'>;

function Followed({ txn, seq, call, schema }: FollowedProps) {
  const [isWanted, setWanted] = useState(seq <= REPLAYED_UNASKED_MAX);
  const { data, error, isPending, refetch } = useTransactionEffects(txn, call, isWanted);
  if (!isWanted) {
    return (
      <div className="outcome-followed outcome-part">
        <Button variant="subtle" size="compact-xs" onClick={() => setWanted(true)}>
          Show conclusions
        </Button>
      </div>
    );
  }
  return (
    <div className="outcome-followed" aria-busy={isPending}>
      {isPending && <p className="outcome-part dim">Computing conclusions…</p>}
      {error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <EffectsView effects={data} schema={schema} kept txn={txn} isWrittenTold />}
    </div>
  );
}
