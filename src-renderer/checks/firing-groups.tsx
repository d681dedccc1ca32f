/** The firings of all checks, a group a check: its first few, and the way to all of them. */

import { Link, useSearchParams } from 'react-router';
import { Glyph } from '../components/glyph.js';
import { checksLocation } from '../data/locations.js';
import type { ShownCheck } from './check-groups.js';
import { checkGroups } from './check-groups.js';
import { SourceLink, stateWords } from './check-view.js';
import { FirstOfCheck } from './firing-rows.js';
import type { Seen } from './news.js';
import type { SeenChecks } from './seen.js';

export function FiringGroups({ checks, seen }: { checks: readonly ShownCheck[]; seen: SeenChecks }) {
  const [search] = useSearchParams();
  const inOrder = checkGroups(checks, search.get('find') ?? '').flatMap((group) => group.checks);
  const shown = inOrder.filter(({ state }) => state.firings !== 0 || (seen[state.check]?.firings.length ?? 0) > 0);
  if (shown.length === 0) {
    const all = inOrder.length === checks.length;
    return (
      <p className="pane-padded dim">
        {all
          ? `${countOf(checks.length)} for everything there is. Nothing fires.`
          : 'None of the checks on the left fires.'}
      </p>
    );
  }
  return (
    <div className="firing-groups">
      {shown.map((check) => (
        <FiringGroup key={check.state.check} check={check} seen={seen[check.state.check]} />
      ))}
    </div>
  );
}

function countOf(checks: number): string {
  return checks === 1 ? 'The one check holds' : `All ${checks} checks hold`;
}

function FiringGroup({ check, seen }: { check: ShownCheck; seen: Seen | undefined }) {
  const { state, name, declared } = check;
  return (
    <section className="firing-group" aria-label={name}>
      <header className="firing-group-head">
        <Glyph kind={state.firings === 0 ? 'good' : state.severity} />
        <h3>
          <Link className="plain-link" to={checksLocation(state.check)}>
            {name}
          </Link>
        </h3>
        <span className="dim numeric cut">{stateWords(check)}</span>
        <span className="pane-spacer" />
        <SourceLink check={check} />
      </header>
      {declared?.doc !== undefined && <p className="firing-group-doc dim">{declared.doc}</p>}
      <FirstOfCheck check={check} seen={seen} />
    </section>
  );
}
