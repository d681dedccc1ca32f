/** One check: description, source and all violations. */

import { clsx } from 'clsx';
import { Link } from 'react-router';
import { TrialNotice } from '../../domain/fork/trial-notice.js';
import { dataLocation, moduleLocation } from '../../model/facts/locations.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { PaneTitle } from '../../ui/panes/panes.js';
import type { ShownCheck } from './check-groups.js';
import { CheckViolations } from './check-violations.js';
import styles from './checks.module.css';
import type { SeenByCheck } from './seen.js';

export function CheckView({ check, seen }: { check: ShownCheck; seen: SeenByCheck }) {
  const { state, name } = check;
  return (
    <section className="pane" aria-label="Check">
      <header className="pane-header">
        <Glyph kind={state.firings === 0 ? 'good' : state.severity} />
        <PaneTitle>{name}</PaneTitle>
        <span className="dim cut">{stateWords(check)}</span>
        <span className="pane-spacer" />
        {check.declared?.builtIn === false && (
          <Link
            className={clsx('link', styles.checkGrid)}
            to={dataLocation(state.check)}
            title="Sort, filter and export the violations in Data"
          >
            As a grid
          </Link>
        )}
        <SourceLink check={check} />
      </header>
      <TrialNotice />
      <CheckFacts check={check} />
      <div className={styles.checkFirings}>
        <CheckViolations check={check} seen={seen[state.check]} />
      </div>
    </section>
  );
}

/** `warning · 3 violations`. */
export function stateWords({ state, declared }: ShownCheck): string {
  const { severity, firings } = state;
  const kind = declared?.builtIn === true ? `${severity}, built-in` : severity;
  if (firings === null) return `${kind} · cannot be evaluated`;
  if (firings === 0) return `${kind} · passing`;
  return `${kind} · ${firings === 1 ? '1 violation' : `${firings.toLocaleString('en')} violations`}`;
}

export function SourceLink({ check: { declared } }: { check: ShownCheck }) {
  if (declared === undefined) return null;
  const { span } = declared;
  return (
    <Link className={clsx('link', 'mono', styles.checkSource)} to={moduleLocation(span)}>
      <Cut>
        {span.file}:{span.start.line}
      </Cut>
    </Link>
  );
}

function CheckFacts({ check: { declared } }: { check: ShownCheck }) {
  if (declared === undefined) return null;
  return (
    <dl className={styles.checkFacts}>
      {declared.doc !== undefined && (
        <>
          <dt>Description</dt>
          <dd>{declared.doc}</dd>
        </>
      )}
      <dt>Message</dt>
      <dd className={clsx(styles.checkTemplate, 'mono')}>{declared.message}</dd>
    </dl>
  );
}
