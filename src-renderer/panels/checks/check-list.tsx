/** All checks: those that cannot be evaluated first, then failing, then passing ones. */

import { SegmentedControl } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadingRows } from '../../domain/failure/states.js';
import { checksLocation } from '../../model/facts/locations.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import type { ShownCheck } from './check-groups.js';
import { BUILT_IN, checkGroups, severityShow } from './check-groups.js';
import styles from './checks.module.css';
import type { SeenByCheck } from './seen.js';

const isBuiltInFolded = createPersistentStore(
  'entail.checks.built-in-folded',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

interface CheckListProps {
  readonly checks: readonly ShownCheck[];
  readonly pending: boolean;
  /** Path of the selected check. */
  readonly selected: string | null;
  readonly seen: SeenByCheck;
}

export function CheckList({ checks, pending, selected, seen }: CheckListProps) {
  const [filter, setFilter] = useUrlText('find');
  const [severity, setSeverity] = useUrlText('severity');
  const show = severityShow(severity);
  const groups = checkGroups(checks, filter, show);
  const kept = { find: filter, severity };
  const total = checks.reduce((sum, { state }) => sum + (state.firings ?? 0), 0);
  return (
    <Pane title="Checks" isPanelName>
      <div className={styles.checkNarrow}>
        <ListFilter label="Filter checks" value={filter} onChange={setFilter} />
        <SegmentedControl
          aria-label="Severity"
          fullWidth
          value={show}
          onChange={(value) => setSeverity(value === 'all' ? '' : value)}
          data={[
            { value: 'all', label: 'All' },
            { value: 'blocking', label: 'Blocking' },
            { value: 'warning', label: 'Warning' },
          ]}
        />
      </div>
      {pending && <LoadingRows rows={6} />}
      {!pending && checks.length > 0 && (
        <Link
          className={clsx('row', styles.checkRow, styles.checkRowAll)}
          to={withFilter(checksLocation(), kept)}
          aria-current={selected === null}
        >
          <span>All violations</span>
          <span className={clsx(styles.checkRowCount, 'numeric')}>{total.toLocaleString('en')}</span>
        </Link>
      )}
      <div className={styles.checkRows}>
        {groups.map(({ title, checks: members }) => (
          <CheckGroup key={title} title={title} checks={members} wanted={filter.trim() === '' ? selected : 'all'}>
            {members.map((check) => (
              <CheckRow
                key={check.state.check}
                check={check}
                to={withFilter(checksLocation(check.state.check), kept)}
                chosen={check.state.check === selected}
                before={seen[check.state.check]?.count}
              />
            ))}
          </CheckGroup>
        ))}
      </div>
      {!pending && groups.length === 0 && <p className="pane-padded dim">{noneWords(checks.length, filter, show)}</p>}
    </Pane>
  );
}

function noneWords(total: number, filter: string, show: string): string {
  if (total === 0) return 'No checks';
  return filter.trim() === '' ? `No ${show} checks` : 'No matches';
}

interface CheckGroupProps {
  readonly title: string;
  readonly checks: readonly ShownCheck[];
  /** Path of a check that must be visible, or `all`. */
  readonly wanted: string | null;
  readonly children: ReactNode;
}

/** Built-in checks can be collapsed, unless one is selected or filtered for. The collapsed group shows its violations. */
function CheckGroup({ title, checks, wanted, children }: CheckGroupProps) {
  const folded = useStore(isBuiltInFolded);
  if (title !== BUILT_IN) {
    return (
      <section aria-label={title}>
        <h2 className="group-title">{title}</h2>
        {children}
      </section>
    );
  }
  const isWanted = wanted === 'all' || checks.some(({ state }) => state.check === wanted);
  const opened = isWanted || !folded;
  const firings = checks.reduce((sum, { state }) => sum + (state.firings ?? 0), 0);
  return (
    <section aria-label={title}>
      <h2 className="group-title">
        <button
          type="button"
          className={clsx('plain', styles.checkFold)}
          aria-expanded={opened}
          disabled={isWanted}
          onClick={() => isBuiltInFolded.set(!folded)}
        >
          <IconChevronRight size={14} aria-hidden />
          {title}
          <span className={clsx(styles.checkRowCount, 'numeric')}>
            {opened || firings === 0
              ? checks.length
              : `${firings.toLocaleString('en')} ${firings === 1 ? 'violation' : 'violations'}`}
          </span>
        </button>
      </h2>
      {opened && children}
    </section>
  );
}

interface CheckRowProps {
  readonly check: ShownCheck;
  readonly to: string;
  readonly chosen: boolean;
  /** Number of violations at the last visit. */
  readonly before: number | undefined;
}

function CheckRow({ check: { state, declared, name }, to, chosen, before }: CheckRowProps) {
  const { firings, severity } = state;
  const changed = firings !== null && before !== undefined && firings !== before;
  return (
    <Link className={clsx('row', styles.checkRow)} to={to} aria-current={chosen}>
      <Glyph kind={firings === 0 ? 'good' : severity} size={11} />
      <Cut {...(declared?.doc === undefined ? {} : { tip: declared.doc })}>{name}</Cut>
      <span className={clsx(styles.checkRowSeverity, 'dim')}>{severity}</span>
      <span className={clsx(styles.checkRowCount, 'numeric')}>
        {changed && <span className={clsx(styles.checkRowBefore, 'dim')}>{before.toLocaleString('en')} → </span>}
        {firings?.toLocaleString('en') ?? 'failed'}
      </span>
    </Link>
  );
}

/** Keeps the filter when a check is selected. */
function withFilter(location: string, kept: Readonly<Record<string, string>>): string {
  const given = Object.entries(kept).filter(([, text]) => text !== '');
  if (given.length === 0) return location;
  return `${location}${location.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
