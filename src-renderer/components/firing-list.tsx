/** Firings of checks: what each says, which check it is, and for whom it fired. */

import { useContext, useMemo } from 'react';
import { Link } from 'react-router';
import type { Firing } from '../../src-runtime/api/schemas.js';
import { type ApiFailure, firingsOf, namesOf } from '../data/failure.js';
import { explainLocation, moduleLocation, shortName } from '../data/locations.js';
import { ForkOfPart } from '../data/place.js';
import { Glyph } from './glyph.js';
import { NamedText } from './named-text.js';
import { KnownLabels, LocalNames, ReferenceLabel } from './reference-label.js';
import { usePortion } from './use-portion.js';

/** The firings that a request was refused for, about individuals that there are and that there would have been. */
export function ViolationList({ failure }: { failure: ApiFailure }) {
  const names = useMemo(() => namesOf(failure.details), [failure]);
  return (
    <KnownLabels value={names}>
      <FiringList firings={firingsOf(failure)} />
    </KnownLabels>
  );
}

interface FiringListProps {
  readonly firings: readonly Firing[];
  /** The firings are facts of the scope now, so that each can be explained; those of a refused request are not. */
  readonly kept?: boolean;
  /** How many are shown before more are asked for; a portion unless given. */
  readonly first?: number;
}

export function FiringList({ firings, kept = false, first }: FiringListProps) {
  const fork = useContext(ForkOfPart);
  const ofTheScope = useContext(LocalNames) === undefined;
  const { shown, more } = usePortion(firings, first);
  return (
    <>
      <ul>
        {shown.map((firing) => (
          <li key={`${firing.check} ${JSON.stringify(firing.tuple)}`} className="firing">
            <Glyph kind={firing.severity} label={firing.severity} />
            <span>
              <NamedText text={firing.message} />
            </span>
            <span className="firing-from">
              <span>{firing.severity}</span>
              <Link className="link mono" to={moduleLocation(firing.span)}>
                {shortName(firing.check)}
              </Link>
              {Object.entries(firing.tuple).map(([name, value]) => (
                <span key={name}>
                  <span className="mono">{name}</span> <ReferenceLabel value={value} />
                </span>
              ))}
              {kept && ofTheScope && (
                <Link className="link" to={explainLocation(firing.check, Object.values(firing.tuple), fork)}>
                  Why?
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
