/** The left rail: a link to each panel that exists. */

import { IconBinaryTree, IconFileCode, IconPlayerPlay } from '@tabler/icons-react';
import { useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

export const PANELS = [
  { to: '/module', name: 'Module', Icon: IconFileCode },
  { to: '/invoke', name: 'Invoke', Icon: IconPlayerPlay },
  { to: '/explain', name: 'Explain', Icon: IconBinaryTree },
] as const;

export function Rail() {
  const location = useLocation();
  // A panel comes back as it was left: its link leads to where it was last.
  const places = useRef<Record<string, string>>({});
  const open = PANELS.find((panel) => location.pathname === panel.to);
  if (open !== undefined) places.current[open.to] = location.pathname + location.search;
  return (
    <nav className="rail" aria-label="Panels">
      <span className="rail-brand">Entail</span>
      {PANELS.map(({ to, name, Icon }) => (
        <NavLink key={to} to={to === location.pathname ? to : (places.current[to] ?? to)} className="rail-link">
          <Icon size={16} stroke={1.6} aria-hidden />
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
