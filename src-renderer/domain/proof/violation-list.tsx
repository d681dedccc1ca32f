/** Firings of checks: what each says, which check it is, and for whom it fired. */

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

export interface ViolationListProps {
  readonly firings: readonly Firing[];
  /** The firings are facts of the scope now, so that each can be explained; those of a refused request are not. */
  readonly kept?: boolean;
  /** What was tried, where they would fire after that. */
  readonly tried?: string | undefined;
  /** The fork that their proofs are asked on, where those that they are about are known to another one. */
  readonly askedOn?: string | undefined;
  /** What leads to the proof of one that is not. */
  readonly whyOf?: (violation: Firing) => ReactNode;
  /** How many are shown before more are asked for; a portion unless given. */
  readonly first?: number;
}

export function ViolationList({ firings, kept = false, tried, askedOn, whyOf, first }: ViolationListProps) {
  const fork = useContext(ForkOfPart);
  const ofTheScope = useContext(LocalNames) === undefined;
  const { shown, more } = usePortion(firings, first);
  const checks = useSchema().data?.checks ?? [];
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
              {Object.entries(firing.tuple).map(([name, value], position) => (
                <span key={name}>
                  <span title={name}>{roleIn(checks, firing.check, position) ?? name}</span>{' '}
                  <ReferenceLabel value={value} />
                </span>
              ))}
              {(kept || tried !== undefined) && ofTheScope && (
                <Link
                  className="link"
                  to={explainLocation(
                    firing.check,
                    Object.values(firing.tuple),
                    askedOn ?? fork,
                    kept ? {} : { after: tried },
                  )}
                >
                  Why?
                </Link>
              )}
            </span>
            {whyOf !== undefined && <div className="firing-proof">{whyOf(firing)}</div>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** What a check calls one of those for whom it fires, as in its proof. */
function roleIn(checks: ServedSchema['checks'], path: string, position: number): string | undefined {
  const check = checks.find((each) => each.path === path);
  return check && endpointWords({ endpoints: check.parameters }, position);
}
