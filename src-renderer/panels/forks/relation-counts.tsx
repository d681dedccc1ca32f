/** What a derive found: facts by relation, in strata, each of which needs those before it. */

import { Link } from 'react-router';
import type { DerivedProjection, ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { explainLocation, shortName } from '../../model/facts/locations.js';
import { durationText } from '../../model/facts/profile.js';

export function RelationCounts({ fork, projection }: { fork: ForkInfo; projection: DerivedProjection }) {
  const facts = new Map(projection.relations.map((each) => [each.relation, each.facts]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="profile-scroller" tabIndex={0} aria-label="Derived facts by relation">
      <table className="profile numeric">
        <thead>
          <tr>
            <th scope="col">Relation</th>
            <th scope="col" className="profile-number">
              Facts
            </th>
            <th scope="col" className="profile-number">
              Rounds
            </th>
            <th scope="col" className="profile-number">
              Time
            </th>
          </tr>
        </thead>
        {projection.strata.map((stratum, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strata have no identity but their place.
          <tbody key={index} className="profile-clause">
            {stratum.relations.map((relation, position) => (
              <tr key={relation}>
                <th scope="row">
                  <Link className="link" to={explainLocation(relation, undefined, fork.id)}>
                    {shortName(relation)}
                  </Link>
                  {stratum.recursive && <span className="dim"> recursive</span>}
                </th>
                <td className="profile-number">{(facts.get(relation) ?? 0).toLocaleString('en')}</td>
                <td className="profile-number">{position === 0 ? stratum.rounds.toLocaleString('en') : ''}</td>
                <td className="profile-number">{position === 0 ? durationText(stratum.ms) : ''}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
