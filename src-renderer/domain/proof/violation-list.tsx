/** Violations of checks: message, check and bindings. */

import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { ForkOfPart } from '../../model/calls/place.js';
import { explainLocation, moduleLocation, shortName } from '../../model/facts/locations.js';
import { endpointWords } from '../../model/sentences/sentence.js';
import { useSchema } from '../../server-state/module.js';
import { Glyph } from '../../ui/glyph.js';
import { NamedText } from '../../ui/named-text.js';
import { LocalNames, ReferenceLabel } from '../../ui/reference-label.js';
import { usePortion } from '../../ui/use-portion.js';
import styles from './violation-list.module.css';

export interface ViolationListProps {
  readonly firings: readonly Firing[];
  /** The violations exist in the scope now, so each can be explained; those of a refused request do not. */
  readonly isSaved?: boolean;
  /** The dry run after which they would exist. */
  readonly tried?: string | undefined;
  /** Fork to explain them on, if another fork has their individuals. */
  readonly askedOn?: string | undefined;
  /** Link to the proof of a violation that is not saved. */
  readonly whyOf?: (violation: Firing) => ReactNode;
  /** Number shown at first; one portion by default. */
  readonly first?: number;
}

export function ViolationList({ firings, isSaved = false, tried, askedOn, whyOf, first }: ViolationListProps) {
  const fork = useContext(ForkOfPart);
  const ofTheScope = useContext(LocalNames) === undefined;
  const { shown, more } = usePortion(firings, first);
  const checks = useSchema().data?.checks ?? [];
  return (
    <>
      <ul>
        {shown.map((firing) => (
          <li key={`${firing.check} ${JSON.stringify(firing.tuple)}`} className={styles.firing}>
            <Glyph kind={firing.severity} label={firing.severity} />
            <span>
              <NamedText text={firing.message} />
            </span>
            <span className={styles.firingFrom}>
              <span>{firing.severity}</span>
              <Link className="link mono" to={moduleLocation(firing.span)}>
                {shortName(firing.check)}
              </Link>
              {Object.entries(firing.tuple).map(([name, value], position) => (
                <span key={name}>
                  <span title={name}>{roleIn(checks, firing.check, position) ?? name}</span>{' '}
                  <ReferenceLabel value={value} />
                </span>
              ))}
              {(isSaved || tried !== undefined) && ofTheScope && (
                <Link
                  className="link"
                  to={explainLocation(
                    firing.check,
                    Object.values(firing.tuple),
                    askedOn ?? fork,
                    isSaved ? {} : { after: tried },
                  )}
                >
                  Why?
                </Link>
              )}
            </span>
            {whyOf !== undefined && <div className={styles.firingProof}>{whyOf(firing)}</div>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** Role of a parameter of a check, as in its proof. */
function roleIn(checks: ServedSchema['checks'], path: string, position: number): string | undefined {
  const check = checks.find((each) => each.path === path);
  return check && endpointWords({ endpoints: check.parameters }, position);
}
