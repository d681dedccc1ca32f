/** The conclusions and resolved violations of a saved write. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { SentCall } from '../../model/calls/calls.js';
import { useTransactionEffects } from '../../server-state/facts.js';
import type { CallResponse } from '../../server-state/send-call.js';
import { LoadFailure } from '../failure/states.js';
import styles from './call-outcome.module.css';
import { EffectsView } from './effects-view.js';

/**
 * The server replays the history up to the transaction: some tenths of a second for this many changes. Longer histories are
 * replayed only on request, because the server is shared.
 */
export const REPLAYED_UNASKED_MAX = 20_000;

interface WhatFollowedProps {
  readonly call: SentCall;
  readonly answer: CallResponse;
  readonly schema: ServedSchema;
}

/** Renders nothing for a call that wrote nothing, or whose response already has effects. */
export function WhatFollowed({ call, answer, schema }: WhatFollowedProps) {
  const written = writtenIn(answer);
  if (written === undefined) return null;
  return <Followed key={`${call.fork} ${written.txn}`} {...written} call={call} schema={schema} />;
}

interface WrittenTransaction {
  readonly txn: number;
  /** Number of its first change. */
  readonly seq: number;
}

function writtenIn({ written, steps }: CallResponse): WrittenTransaction | undefined {
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
      <div className={clsx(styles.outcomeFollowed, styles.outcomePart)}>
        <Button variant="subtle" size="compact-xs" onClick={() => setWanted(true)}>
          Show conclusions
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.outcomeFollowed} aria-busy={isPending}>
      {isPending && <p className={clsx(styles.outcomePart, 'dim')}>Computing conclusions…</p>}
      {error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <EffectsView effects={data} schema={schema} isSaved txn={txn} hidesWritten />}
    </div>
  );
}
