/** The left rail: a link to each panel, and the number of violations beside Checks. */

import { useMediaQuery } from '@mantine/hooks';
import { useId } from 'react';
import { NavLink, useLocation } from 'react-router';
import { countFirings, type FiringCounts, firingWords, worstOfFirings } from '../model/text/firing-counts.js';
import { useCheckStates } from '../server-state/checks.js';
import { useMayAskFacts } from '../server-state/module.js';
import { Glyph } from '../ui/glyph.js';
import { usePlaceOfPanel } from './panel-places.js';
import { PANELS } from './panels.js';

export function Rail() {
  const { pathname } = useLocation();
  const placeOf = usePlaceOfPanel();
  const states = useCheckStates().data;
  // Violations of an earlier module say nothing about the loaded one.
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
            // The count is a description, so that the link keeps its name.
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

/** The style sheet shows names from this width on. */
const WITH_NAMES = '(min-width: 1001px)';

const COUNT_MAX = 99;

/** Shows the most severe violations only, because there is room for one number. */
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
