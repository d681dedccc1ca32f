/** All checks: those that cannot be evaluated first, then those that fire, then those that hold for everything. */

import { Link } from 'react-router';
import { Cut } from '../components/cut.js';
import { Glyph } from '../components/glyph.js';
import { ListFilter } from '../components/list-filter.js';
import { Pane } from '../components/panes.js';
import { LoadingRows } from '../components/states.js';
import { checksLocation } from '../data/locations.js';
import { useUrlText } from '../data/url-text.js';
import type { ShownCheck } from './check-groups.js';
import { checkGroups } from './check-groups.js';
import type { SeenChecks } from './seen.js';

interface CheckListProps {
  readonly checks: readonly ShownCheck[];
  readonly pending: boolean;
  /** The path of the check that is shown alone. */
  readonly chosen: string | null;
  readonly seen: SeenChecks;
}

export function CheckList({ checks, pending, chosen, seen }: CheckListProps) {
  const [filter, setFilter] = useUrlText('find');
  const groups = checkGroups(checks, filter);
  const total = checks.reduce((sum, { state }) => sum + (state.firings ?? 0), 0);
  return (
    <Pane title="Checks" isPanelName>
      <ListFilter label="Filter checks" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={6} />}
      {!pending && checks.length > 0 && (
        <Link
          className="row check-row check-row-all"
          to={withFilter(checksLocation(), filter)}
          aria-current={chosen === null}
        >
          <span>All firings</span>
          <span className="check-row-count numeric">{total.toLocaleString('en')}</span>
        </Link>
      )}
      <div className="check-rows">
        {groups.map(({ title, checks: members }) => (
          <section key={title} aria-label={title}>
            <h2 className="group-title">{title}</h2>
            {members.map((check) => (
              <CheckRow
                key={check.state.check}
                check={check}
                to={withFilter(checksLocation(check.state.check), filter)}
                chosen={check.state.check === chosen}
                before={seen[check.state.check]?.count}
              />
            ))}
          </section>
        ))}
      </div>
      {!pending && checks.length > 0 && groups.length === 0 && (
        <p className="pane-padded dim">No check has that in its name, message or description.</p>
      )}
    </Pane>
  );
}

interface CheckRowProps {
  readonly check: ShownCheck;
  readonly to: string;
  readonly chosen: boolean;
  /** How often it fired when somebody looked last. */
  readonly before: number | undefined;
}

function CheckRow({ check: { state, declared, name }, to, chosen, before }: CheckRowProps) {
  const { firings, severity } = state;
  const changed = firings !== null && before !== undefined && firings !== before;
  return (
    <Link className="row check-row" to={to} aria-current={chosen}>
      <Glyph kind={firings === 0 ? 'good' : severity} size={11} />
      <Cut {...(declared?.doc === undefined ? {} : { tip: declared.doc })}>{name}</Cut>
      <span className="check-row-severity dim">{severity}</span>
      <span className="check-row-count numeric">
        {changed && <span className="check-row-before dim">{before.toLocaleString('en')} → </span>}
        {firings?.toLocaleString('en') ?? 'failed'}
      </span>
    </Link>
  );
}

function withFilter(location: string, filter: string): string {
  if (filter === '') return location;
  return `${location}${location.includes('?') ? '&' : '?'}${new URLSearchParams({ find: filter }).toString()}`;
}
