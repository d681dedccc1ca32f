/** Events of a scope in words: what was added, removed, set, created, deleted. */

import type { WireEvent } from '../../src-runtime/api/schemas.js';
import { shortName } from '../data/locations.js';
import { ReferenceLabel } from './reference-label.js';
import './event-words.css';

/** `marked` is the event that is looked for, by its `seq`. */
export function EventList({ events, marked }: { events: readonly WireEvent[]; marked?: number }) {
  return (
    <ul className="events">
      {events.map((event) => (
        <li key={event.seq} aria-current={event.seq === marked ? true : undefined}>
          <span className="dim numeric event-seq">{event.seq}</span>
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
          new {shortName(event.concept ?? '')} <ReferenceLabel value={id} reference />
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
          {event.kind === 'redacted' ? 'erased, with' : 'forgot'} <span className="mono">{id}</span>
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
          <span className="dim">{event.kind === 'insertFact' ? 'added' : 'removed'}</span>{' '}
          {shortName(event.relation ?? '')}(
          {(event.tuple ?? []).map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: positions of a tuple.
            <span key={index}>
              {index > 0 && ', '}
              <ReferenceLabel value={value} />
            </span>
          ))}
          )
        </span>
      );
  }
}

function fieldName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
