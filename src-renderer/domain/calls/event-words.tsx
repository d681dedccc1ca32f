/** Changes in words: added, removed, set, created, deleted. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { JsonValue, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import { fieldName } from '../../model/facts/locations.js';
import { relationIndex } from '../../model/facts/relation-index.js';
import { useSchema } from '../../server-state/module.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { SentenceLine } from '../proof/sentence-view.js';
import styles from './event-words.module.css';

/** `marked` is the `seq` of the change to highlight. */
export function EventList({ events, marked }: { events: readonly WireEvent[]; marked?: number }) {
  return (
    <ul className={styles.events}>
      {events.map((event) => (
        <li key={event.seq} aria-current={event.seq === marked ? true : undefined}>
          <span className={clsx('dim', 'numeric', styles.eventSeq)}>{event.seq}</span>
          <EventWords event={event} />
        </li>
      ))}
    </ul>
  );
}

export function EventWords({ event }: { event: WireEvent }) {
  const id = event.id ?? '';
  switch (event.kind) {
    case 'insertIndividual':
      return (
        <span>
          new <ReferenceLabel value={id} reference concept={event.concept} />
        </span>
      );
    case 'deleteIndividual':
      return (
        <span>
          deleted <ReferenceLabel value={id} reference />
        </span>
      );
    case 'forgetIndividual':
    case 'redacted':
      return (
        <span>
          {event.kind === 'redacted' ? 'erased with' : 'erased'} <span className="mono">{id}</span>
        </span>
      );
    case 'setField':
      return (
        <span>
          <ReferenceLabel value={id} reference /> <span className="dim">{fieldName(event.field ?? '')} =</span>{' '}
          <ReferenceLabel value={event.value ?? null} />
        </span>
      );
    default:
      return (
        <span>
          <span className="dim">{event.kind === 'insertFact' ? 'added: ' : 'removed: '}</span>
          <FactWords relation={event.relation ?? ''} tuple={event.tuple ?? []} />
        </span>
      );
  }
}

function FactWords({ relation, tuple }: { relation: string; tuple: readonly JsonValue[] }) {
  const schema = useSchema().data;
  const index = useMemo(() => schema && relationIndex(schema), [schema]);
  return <SentenceLine relation={relation} tuple={tuple} info={index?.get(relation)} />;
}
