/** Declarations that stored facts use and that another module would take from them; each leads to those facts. */

import { Link } from 'react-router';
import type { Incompatibility } from '../data/failure.js';
import { explainLocation } from '../data/locations.js';

export function IncompatibilityList({ incompatibilities }: { incompatibilities: readonly Incompatibility[] }) {
  return (
    <ul className="save-list">
      {incompatibilities.map(({ declaration, words }) => (
        <li key={`${declaration} ${words}`}>
          <Link className="link" to={explainLocation(declaration)}>
            {declaration}
          </Link>{' '}
          {words}
        </li>
      ))}
    </ul>
  );
}
