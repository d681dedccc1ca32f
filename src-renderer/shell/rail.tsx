/** The left rail: a link to each panel that exists. */

import { NavLink, useLocation } from 'react-router';
import { usePlaceOfPanel } from './panel-places.js';
import { PANELS } from './panels.js';

export function Rail() {
  const { pathname } = useLocation();
  const placeOf = usePlaceOfPanel();
  return (
    <nav className="rail" aria-label="Panels">
      <span className="rail-brand">Entail</span>
      {PANELS.map(({ to, name, Icon }) => (
        <NavLink key={to} to={to === pathname ? to : placeOf(to)} className="rail-link">
          <Icon size={16} stroke={1.6} aria-hidden />
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
