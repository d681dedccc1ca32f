/** The Checks panel: all checks with their violations. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { CheckState } from '../../../src-runtime/api/schemas/schemas.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import { TrialNotice } from '../../domain/fork/trial-notice.js';
import { usePlace } from '../../model/calls/place.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import { namesOf, shortName } from '../../model/facts/locations.js';
import { sortedByName } from '../../model/text/natural-order.js';
import { countViolations, violationWords } from '../../model/text/violation-counts.js';
import { useCheckStates, useViolationOrigins } from '../../server-state/checks.js';
import { useForks } from '../../server-state/forks.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenName } from '../../state/page-title.js';
import { CopyLine } from '../../ui/copy-line.js';
import { Pane, Panes, PaneTitle } from '../../ui/panes/panes.js';
import type { ShownCheck } from './check-groups.js';
import { CheckList } from './check-list.js';
import { CheckView } from './check-view.js';
import styles from './checks.module.css';
import { EXAMPLE_CHECK } from './example-check.js';
import { type SeenByCheck, useSeen } from './seen.js';
import { ViolationGroups } from './violation-groups.js';
import { ViolationOrigins } from './violation-row.js';

export function ChecksPanel() {
  const states = useCheckStates();
  const schema = useSchema();
  const [search] = useSearchParams();
  const wanted = search.get('check');
  const { seen, hasUnseenViolations, seeAll } = useSeen(states.data);
  const checks = useMemo(() => shownChecks(states.data ?? [], schema.data), [states.data, schema.data]);
  const selected = checks.find(({ state }) => state.check === wanted);
  // A check selected later must not scroll the list away on narrow windows.
  const [linked] = useState(wanted);
  useOpenName(selected?.name);
  const origins = useOrigins(checks.some(({ state }) => (state.firings ?? 0) > 0));
  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="No checks yet" appears="checks and their violations" />;
  }
  const main = () => {
    if (states.isPending) return <LoadingPane />;
    if (isLost(states)) {
      return <LoadFailure error={states.error} onRetry={() => void states.refetch()} />;
    }
    if (wanted !== null && selected === undefined) return <UnknownCheck check={wanted} />;
    if (selected !== undefined) return <CheckView key={selected.state.check} check={selected} seen={seen} />;
    return <AllViolations checks={checks} seen={seen} onSeen={hasUnseenViolations ? seeAll : undefined} />;
  };
  return (
    <Panes
      id="checks"
      panes={[
        {
          ...{ id: 'check-list', name: 'checks', size: 296, minSize: 200, fixed: true },
          content: <CheckList checks={checks} pending={states.isPending} selected={wanted} seen={seen} />,
        },
        {
          ...{ id: 'firings', name: 'violations', minSize: 360, wanted: wanted !== null && wanted === linked },
          content: <ViolationOrigins value={origins}>{main()}</ViolationOrigins>,
        },
      ]}
    />
  );
}

/** The server replays the history: some tenths of a second for this many changes. */
const REPLAYED_MAX = 20_000;

function useOrigins(hasViolations: boolean) {
  const { fork } = usePlace();
  const record = useForks().data?.find(({ id }) => id === fork);
  const isShort = record !== undefined && record.baseSeq + record.events <= REPLAYED_MAX;
  const { data } = useViolationOrigins(hasViolations && isShort);
  return hasViolations && isShort ? data : undefined;
}

function shownChecks(states: readonly CheckState[], schema: ServedSchema | undefined): ShownCheck[] {
  const declared = new Map((schema?.checks ?? []).map((check) => [check.path, check]));
  const nameOf = namesOf(states.map(({ check }) => check));
  const shown = states.map((state) => ({ state, declared: declared.get(state.check), name: nameOf(state.check) }));
  return sortedByName(shown, ({ name }) => name);
}

interface AllViolationsProps {
  readonly checks: readonly ShownCheck[];
  readonly seen: SeenByCheck;
  /** Absent if nothing is new. */
  readonly onSeen: (() => void) | undefined;
}

function AllViolations({ checks, seen, onSeen }: AllViolationsProps) {
  const words = violationWords(countViolations(checks.map(({ state }) => state)));
  if (checks.length === 0) {
    return (
      <Empty title="The module has no checks">
        <p>
          A check describes what must not happen. <SourceLink>Write one</SourceLink> and save, for example:
        </p>
        <CopyLine label="Example check" text={EXAMPLE_CHECK} />
      </Empty>
    );
  }
  return (
    <Pane
      title={
        <PaneTitle>
          All violations <span className={clsx('dim', 'numeric', styles.checksCount)}>{words ?? 'none'}</span>
        </PaneTitle>
      }
      label="All violations"
      actions={
        onSeen !== undefined && (
          <Button
            className={styles.checksSeen}
            variant="subtle"
            size="compact-xs"
            onClick={({ currentTarget, detail }) => {
              // The button disappears, so move the focus first.
              const next = currentTarget.closest('.pane')?.querySelector<HTMLElement>('[data-groups] input');
              if (detail === 0) next?.focus();
              onSeen();
            }}
          >
            Mark all as seen
          </Button>
        )
      }
    >
      <TrialNotice />
      <ViolationGroups checks={checks} seen={seen} />
    </Pane>
  );
}

function LoadingPane() {
  return (
    <Pane title="All violations">
      <LoadingRows rows={8} />
    </Pane>
  );
}

function UnknownCheck({ check }: { check: string }) {
  return (
    <Empty title={`No check ${shortName(check)} in this module`}>
      <p>It may have been renamed or removed. Select a check on the left.</p>
    </Empty>
  );
}
