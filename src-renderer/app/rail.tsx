/** The left rail: a link to each panel that exists, and beside that to the checks how many fire. */

import { useMediaQuery } from '@mantine/hooks';
import { useId } from 'react';
import { NavLink, useLocation } from 'react-router';
import { countFirings, type FiringCounts, firingWords, worstOfFirings } from '../model/text/firing-counts.js';
import { useCheckStates } from '../server-state/checks.js';
import { useMayAskFacts } from '../server-state/queries.js';
import { Glyph } from '../ui/glyph.js';
import { usePlaceOfPanel } from './panel-places.js';
import { PANELS } from './panels.js';

export function Rail() {
  const { pathname } = useLocation();
  const placeOf = usePlaceOfPanel();
  const states = useCheckStates().data;
  // What fired in a module that was loaded before is no news of this one.
  const counts = countFirings(useMayAskFacts() ? (states ?? []) : []);
  const firing = firingWords(counts);
  const firingId = useId();
  const hasNames = useMediaQuery(WITH_NAMES, true, { getInitialValueInEffect: false });
  const firingsOf = (panel: string): string | undefined => (panel === 'Checks' ? firing : undefined);
  return (
    <nav className="rail" aria-label="Panels">
      <span className="rail-brand">
        <span className="rail-name">Entail</span>
      </span>
      {PANELS.map(({ to, name, Icon }) => (
        <NavLink
          key={to}
          to={to === pathname ? to : placeOf(to)}
          className="rail-link"
          title={hasNames ? undefined : [name, firingsOf(name)].filter((part) => part !== undefined).join(': ')}
          aria-describedby={firingsOf(name) === undefined ? undefined : firingId}
        >
          <Icon size={16} stroke={1.6} aria-hidden />
          <span className="rail-name">{name}</span>
          {name === 'Checks' && (
            // The link's own name stays the panel's; the counts are its description.
            <RailCount counts={counts} />
          )}
        </NavLink>
      ))}
      <span id={firingId} className="visually-hidden">
        {firing !== undefined && `Violations: ${firing}`}
      </span>
    </nav>
  );
}

/** Wide enough for the names, as the style sheet has it. */
const WITH_NAMES = '(min-width: 1001px)';

const COUNT_MAX = 99;

/** The worst: there is room for one number. */
function RailCount({ counts }: { counts: FiringCounts }) {
  const [kind, count] = worstOfFirings(counts);
  if (count === 0) return null;
  return (
    <span className="rail-count numeric" aria-hidden>
      <Glyph kind={kind} size={8} />
      {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
    </span>
  );
}
