/** The left rail: a link to each panel with a tooltip, and the number of violations beside Checks. */

import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { clsx } from 'clsx';
import { Fragment, useId } from 'react';
import { NavLink, useLocation } from 'react-router';
import {
  countViolations,
  type ViolationCounts,
  violationWords,
  worstViolations,
} from '../model/text/violation-counts.js';
import { useCheckStates } from '../server-state/checks.js';
import { useMayAskFacts } from '../server-state/module.js';
import { Glyph } from '../ui/glyph.js';
import { useLastLocation } from './last-locations.js';
import { PANELS } from './panels.js';
import styles from './shell.module.css';

export function Rail() {
  const { pathname } = useLocation();
  const locationOf = useLastLocation();
  const states = useCheckStates().data;
  // Violations of an earlier module say nothing about the loaded one.
  const counts = countViolations(useMayAskFacts() ? (states ?? []) : []);
  const violations = violationWords(counts);
  const hasNames = useMediaQuery(WITH_NAMES, true, { getInitialValueInEffect: false });
  const id = useId();
  return (
    <nav className={styles.rail} aria-label="Panels">
      <span className={styles.railBrand}>
        <span className={styles.railName}>Entail</span>
      </span>
      {PANELS.map(({ to, name, purpose, Icon }) => {
        const found = name === 'Checks' && violations !== undefined ? `Violations: ${violations}` : undefined;
        const title = hasNames ? '' : `${name}. `;
        return (
          <Fragment key={to}>
            <Tooltip
              label={`${title}${purpose}${found === undefined ? '' : ` ${found}.`}`}
              position="right"
              events={{ hover: true, focus: true, touch: false }}
            >
              <NavLink
                to={to === pathname ? to : locationOf(to)}
                className={clsx(styles.railLink)}
                aria-describedby={`${id}${name}`}
              >
                <Icon size={16} stroke={1.6} aria-hidden />
                <span className={styles.railName}>{name}</span>
                {name === 'Checks' && <RailCount counts={counts} />}
              </NavLink>
            </Tooltip>
            {/* A description, so that the link keeps its name. */}
            <span id={`${id}${name}`} hidden>
              {found ?? purpose}
            </span>
          </Fragment>
        );
      })}
    </nav>
  );
}

/** The style sheet shows names from this width on. */
const WITH_NAMES = '(min-width: 1001px)';

const COUNT_MAX = 99;

/** Shows the most severe violations only, because there is room for one number. */
function RailCount({ counts }: { counts: ViolationCounts }) {
  const [kind, count] = worstViolations(counts);
  if (count === 0) return null;
  return (
    <span className={clsx(styles.railCount, 'numeric')} aria-hidden>
      <Glyph kind={kind} size={8} />
      {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
    </span>
  );
}
