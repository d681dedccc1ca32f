/** A fact of a relation: its values, and what stored, declared or derived it. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Link, useNavigate } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { SentenceView } from '../../domain/proof/sentence-view.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { explainLocation, historyLocation, moduleLocation, shortName } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { numberText } from '../../model/text/count-text.js';
import { momentText } from '../../model/text/time-text.js';
import { api } from '../../server-state/api.js';
import { useExplanation } from '../../server-state/explanations.js';
import { Glyph } from '../../ui/glyph.js';
import { Pane, PaneTitle } from '../../ui/panes/panes.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import styles from './entity-view.module.css';
import { LongValue } from './long-value.js';
import { type ListState, listLocation } from './rows/list-state.js';

interface FactViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly state: ListState;
}

export function FactView({ info, tuple, state }: FactViewProps) {
  const navigate = useNavigate();
  const { path, endpoints } = info;
  return (
    <Pane
      label="Fact"
      title={<PaneTitle>{shortName(path)}</PaneTitle>}
      actions={
        <ActionIcon
          aria-label="Close the fact"
          onClick={() => void navigate(listLocation({ ...state, individual: undefined, fact: undefined }))}
        >
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <p className={styles.factSentence}>
        <SentenceView relation={path} tuple={tuple} info={info} />
      </p>
      <section aria-label="Values">
        <h3 className="group-title">Values</h3>
        <dl className={styles.entityFields}>
          {endpoints.map(({ name, type }, at) => (
            <div className={styles.entityField} key={name}>
              <dt className="dim">{name}</dt>
              <dd>
                <FactValue value={tuple[at] ?? null} isReference={type.kind === 'class'} state={state} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Origin relation={path} tuple={tuple} info={info} />
    </Pane>
  );
}

interface FactValueProps {
  readonly value: JsonValue;
  readonly isReference: boolean;
  readonly state: ListState;
}

function FactValue({ value, isReference, state }: FactValueProps) {
  if (value === null) return <span className="dim">none</span>;
  if (!isReference) return <LongValue value={value} />;
  return (
    <Link className="value-link" to={listLocation({ ...state, individual: String(value) })}>
      <ReferenceLabel value={value} reference />
    </Link>
  );
}

interface OriginProps {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  readonly info: RelationInfo | undefined;
}

/** What made it a fact: a transaction, the module or rules. */
export function Origin({ relation, tuple, info }: OriginProps) {
  const { data, isPending, isError, error, refetch } = useExplanation(relation, tuple);
  if (isPending) return <LoadingRows rows={2} />;
  if (isError) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  const { explanation } = data;
  if (!explanation.holds) return <p className={clsx('dim', styles.entityNone)}>This is no longer a fact.</p>;
  const { kind, event } = explanation.proof;
  if (event !== undefined) return <StoredBy txn={event.txn} />;
  const isDerived = kind === 'derived' || kind === 'aggregate';
  return (
    <p className={clsx('glyph-line', styles.factOrigin)}>
      <Glyph kind={isDerived ? 'derived' : 'declared'} size={10} />
      {isDerived ? (
        <>
          Derived by rules.{' '}
          <Link className="link" to={explainLocation(relation, tuple)}>
            Why?
          </Link>
        </>
      ) : (
        <>
          Declared in the module.{' '}
          <Link className="link" to={moduleLocation(info?.span)}>
            Source
          </Link>
        </>
      )}
    </p>
  );
}

function StoredBy({ txn }: { txn: number }) {
  const place = usePlace();
  const { data } = useQuery({
    queryKey: ['facts', 'transaction', 'head', txn, place],
    queryFn: ({ signal }) => api.transaction(txn, { limit: 1, ...optionsAt(place, signal) }),
    // Transactions are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return <LoadingRows rows={1} />;
  const { cause, at, principal } = data.transaction;
  const { words, fork } = causeWords(cause);
  return (
    <p className={clsx('glyph-line', styles.factOrigin)}>
      <Glyph kind="stored" size={10} />
      <span>
        Stored by {words} {fork !== undefined && <ForkName id={fork} />} {principal !== null && `for ${principal} `}
        in{' '}
        <Link className="link" to={historyLocation(place.fork, txn)}>
          transaction {numberText(txn)}
        </Link>
        , {momentText(at)}
      </span>
    </p>
  );
}
