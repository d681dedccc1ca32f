/** Performance of a fork: evaluates all rules and shows time and facts by rule, round and relation. */

import { Button, Loader, SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { DerivedProjection, ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { Empty, LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { ProfileTable } from '../../domain/result/profile-table.js';
import styles from '../../domain/result/profile-table.module.css';
import { explainLocation, shortName } from '../../model/facts/locations.js';
import { durationText, profileRows } from '../../model/facts/profile.js';
import { timeText } from '../../model/text/time-text.js';
import deriveViewStyles from './derive-view.module.css';
import type { DerivePart } from './panel-address.js';
import { TraceTable } from './trace-table.js';
import { useDerive, useProjection } from './use-fork-actions.js';

interface DeriveViewProps {
  readonly fork: ForkInfo;
  readonly part: DerivePart;
  readonly onPartChange: (part: DerivePart) => void;
}

export function DeriveView({ fork, part, onPartChange }: DeriveViewProps) {
  const projection = useProjection(fork);
  const { derive, isCancelled, cancel } = useDerive(fork);
  const isOpen = fork.status === 'open';
  return (
    <section className={deriveViewStyles.forkDerive} aria-label="Performance">
      <div className={deriveViewStyles.forkDeriveHead}>
        {derive.isPending ? (
          <>
            <span className={deriveViewStyles.forkDeriveRunning} role="status">
              <Loader size="xs" /> Evaluating <Elapsed />
            </span>
            <Button variant="default" size="compact-xs" onClick={cancel}>
              Cancel
            </Button>
          </>
        ) : (
          <Button size="compact-xs" disabled={!isOpen} onClick={() => derive.mutate()}>
            {projection.data ? 'Evaluate again' : 'Evaluate'}
          </Button>
        )}
        {projection.data && <Summary projection={projection.data} derivedAt={fork.derivedAt} />}
        <span className="pane-spacer" />
        {projection.data && (
          <SegmentedControl
            aria-label="Performance view"
            value={part}
            onChange={(value) => onPartChange(value as DerivePart)}
            data={[
              { value: 'rules', label: 'Rules' },
              { value: 'rounds', label: 'Rounds' },
              { value: 'relations', label: 'Facts' },
            ]}
          />
        )}
      </div>
      {derive.isError && !isCancelled && (
        <div className="pane-padded">
          <FailureView error={derive.error} />
        </div>
      )}
      {isCancelled && (
        <p className={clsx(deriveViewStyles.forkDeriveNote, 'dim')} role="status">
          Cancelled. If the server still finishes, the result appears here.
        </p>
      )}
      <div className={deriveViewStyles.forkDeriveBody}>
        {projection.isPending && <LoadingRows />}
        {projection.isError && <LoadFailure error={projection.error} onRetry={() => void projection.refetch()} />}
        {projection.data === null && !derive.isPending && <NotDerived fork={fork} />}
        {projection.data && <Part part={part} fork={fork} projection={projection.data} />}
      </div>
    </section>
  );
}

function Part({ part, fork, projection }: { part: DerivePart; fork: ForkInfo; projection: DerivedProjection }) {
  if (part === 'rounds') return <TraceTable fork={fork} projection={projection} />;
  if (part === 'relations') return <RelationCounts fork={fork} projection={projection} />;
  return <Profile projection={projection} />;
}

function Profile({ projection }: { projection: DerivedProjection }) {
  const rows = useMemo(() => profileRows(projection), [projection]);
  if (rows.length === 0) return <p className="pane-padded dim">The module has no rules.</p>;
  return <ProfileTable rows={rows} />;
}

function Summary({ projection, derivedAt }: { projection: DerivedProjection; derivedAt: string | undefined }) {
  const { facts, rounds, ms, txn } = projection;
  return (
    <span className="dim numeric cut">
      <strong className={deriveViewStyles.forkDeriveFacts}>{facts.toLocaleString('en')} facts</strong> in{' '}
      {rounds.toLocaleString('en')} {rounds === 1 ? 'round' : 'rounds'}, {durationText(ms)} · as of transaction{' '}
      {txn.toLocaleString('en')}
      {derivedAt !== undefined && ` · ${timeText(derivedAt)}`}
    </span>
  );
}

function NotDerived({ fork }: { fork: ForkInfo }) {
  if (fork.status !== 'open') {
    return (
      <Empty title="Not available">
        <p>This fork is closed. You can still compare and explain its conclusions.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Not evaluated yet">
      <p>
        Evaluate runs every rule on <ForkName id={fork.id} /> once, and shows the time and new facts of each rule and
        round. The next write discards the result.
      </p>
    </Empty>
  );
}

function Elapsed() {
  const [startedAt] = useState(() => performance.now());
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return <span className="dim numeric">{((now - startedAt) / 1000).toFixed(1)} s</span>;
}

/** Facts by relation, grouped by stratum. */
function RelationCounts({ fork, projection }: { fork: ForkInfo; projection: DerivedProjection }) {
  const facts = new Map(projection.relations.map((each) => [each.relation, each.facts]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className={styles.profileScroller} tabIndex={0} aria-label="Derived facts by relation">
      <table className={clsx(styles.profile, 'numeric')}>
        <thead>
          <tr>
            <th scope="col">Relation</th>
            <th scope="col" className={styles.profileNumber}>
              Facts
            </th>
            <th scope="col" className={styles.profileNumber}>
              Rounds
            </th>
            <th scope="col" className={styles.profileNumber}>
              Time
            </th>
          </tr>
        </thead>
        {projection.strata.map((stratum, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strata have no identity but their place.
          <tbody key={index} className={styles.profileClause}>
            {stratum.relations.map((relation, position) => (
              <tr key={relation}>
                <th scope="row">
                  <Link className="link" to={explainLocation(relation, undefined, fork.id)}>
                    {shortName(relation)}
                  </Link>
                  {stratum.recursive && <span className="dim"> recursive</span>}
                </th>
                <td className={styles.profileNumber}>{(facts.get(relation) ?? 0).toLocaleString('en')}</td>
                <td className={styles.profileNumber}>{position === 0 ? stratum.rounds.toLocaleString('en') : ''}</td>
                <td className={styles.profileNumber}>{position === 0 ? durationText(stratum.ms) : ''}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
