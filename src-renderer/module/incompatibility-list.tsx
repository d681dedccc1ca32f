/** Declarations that stored facts use and that another module would take from them; each leads to those facts. */

import { Link } from 'react-router';
import type { Incompatibility } from '../data/failure.js';
import { explainLocation } from '../data/locations.js';
import { useSchema } from '../data/queries.js';
import { relationIndex } from '../data/relation-index.js';

export function IncompatibilityList({ incompatibilities }: { incompatibilities: readonly Incompatibility[] }) {
  const schema = useSchema().data;
  // What the text declares anew has no facts to lead to.
  const served = schema && relationIndex(schema);
  return (
    <ul className="save-list">
      {incompatibilities.map(({ declaration, words }) => (
        <li key={`${declaration} ${words}`}>
          {served?.has(declaration) === false ? (
            declaration
          ) : (
            <Link className="link" to={explainLocation(declaration)}>
              {declaration}
            </Link>
          )}{' '}
          {words}
        </li>
      ))}
    </ul>
  );
}
