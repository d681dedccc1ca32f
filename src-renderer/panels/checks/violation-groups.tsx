/** The first violations of each check, with links to all of them. */

import { clsx } from 'clsx';
import { Link } from 'react-router';
import { LoadingRows } from '../../domain/failure/states.js';
import { checksLocation } from '../../model/facts/locations.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { checkGroups, type ShownCheck, severityShow } from './check-groups.js';
import { SourceLink, stateWords } from './check-view.js';
import styles from './checks.module.css';
import type { SeenByCheck } from './seen.js';
import { type SeenViolations, violationKey } from './unseen.js';
import { useShownViolations } from './use-shown-violations.js';
import { ResolvedRows, ViolationRow } from './violation-row.js';

export function ViolationGroups({ checks, seen }: { checks: readonly ShownCheck[]; seen: SeenByCheck }) {
  const [find] = useUrlText('find');
  const [filter, setFilter] = useUrlText('firing');
  const [severity] = useUrlText('severity');
  const inOrder = checkGroups(checks, find, severityShow(severity)).flatMap((group) => group.checks);
  const shown = inOrder.filter(({ state }) => state.firings !== 0 || (seen[state.check]?.firings.length ?? 0) > 0);
  if (shown.length === 0) {
    const all = inOrder.length === checks.length;
    return <p className="pane-padded dim">{all ? `${countOf(checks.length)}.` : 'The checks on the left pass.'}</p>;
  }
  return (
    <div className={styles.firingGroups} data-groups>
      <ListFilter label="Filter violations" value={filter} onChange={setFilter} />
      {shown.map((check) => (
        <ViolationGroup key={check.state.check} check={check} seen={seen[check.state.check]} filter={filter} />
      ))}
      <p className={clsx('pane-padded', 'dim', styles.firingNone)}>No matches</p>
    </div>
  );
}

function countOf(checks: number): string {
  return checks === 1 ? 'The only check passes' : `All ${checks} checks pass`;
}

/** Rows per group. */
const FIRST_ROWS = 8;

interface ViolationGroupProps {
  readonly check: ShownCheck;
  readonly seen: SeenViolations | undefined;
  readonly filter: string;
}

function ViolationGroup({ check, seen, filter }: ViolationGroupProps) {
  const { state, name, declared } = check;
  const { query, shown, error, pending, unseen: changes } = useShownViolations(check, seen, filter);
  const unseen = filter !== '' && query.hasNextPage;
  if (filter !== '' && shown.length === 0 && error === undefined && !pending && !unseen) return null;
  return (
    <section className={styles.firingGroup} aria-label={name}>
      <header className={styles.firingGroupHead}>
        <Glyph kind={state.firings === 0 ? 'good' : state.severity} />
        <h3 className="cut">
          <Link className={styles.plainLink} to={checksLocation(state.check)}>
            <Cut>{name}</Cut>
          </Link>
        </h3>
        <span className={clsx('dim', 'numeric', styles.firingGroupState)}>{stateWords(check)}</span>
        <span className="pane-spacer" />
        <SourceLink check={check} />
      </header>
      {declared?.doc !== undefined && <p className={clsx(styles.firingGroupDoc, 'dim')}>{declared.doc}</p>}
      {error !== undefined ? (
        <ShortFailure check={check} error={error} />
      ) : pending ? (
        <LoadingRows rows={Math.min(FIRST_ROWS, state.firings ?? 1)} />
      ) : (
        <ul>
          {shown.slice(0, FIRST_ROWS).map((violation) => (
            <li key={violationKey(violation)}>
              <ViolationRow violation={violation} check={check} isNew={changes.added.has(violationKey(violation))} />
            </li>
          ))}
          {filter === '' && <ResolvedRows unseen={changes} check={check} />}
        </ul>
      )}
      {(shown.length > FIRST_ROWS || unseen) && (
        <Link className={clsx('link', styles.firingMore)} to={located(state.check, filter)}>
          {filter === ''
            ? `Show all ${(state.firings ?? shown.length).toLocaleString('en')}`
            : unseen
              ? `Search all ${state.firings?.toLocaleString('en') ?? ''}`
              : 'Show all matches'}
        </Link>
      )}
    </section>
  );
}

function located(check: string, filter: string): string {
  if (filter === '') return checksLocation(check);
  return `${checksLocation(check)}&${new URLSearchParams({ firing: filter }).toString()}`;
}

function ShortFailure({ check, error }: { check: ShownCheck; error: unknown }) {
  return (
    <p className={styles.firingFailed}>
      {error instanceof Error ? error.message : String(error)}{' '}
      <Link className="link" to={checksLocation(check.state.check)}>
        What to do
      </Link>
    </p>
  );
}
