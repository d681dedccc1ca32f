/** The parts of the sheets before a promotion and an update: what checks say, conflicts, and what would be written. */

import { Button, Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { PromoteSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkConflict } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { Firing, WireEvent } from '../../../../src-runtime/api/schemas/schemas.js';
import { EventList } from '../../../domain/calls/event-words.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { FailureViolations } from '../../../domain/failure/failure-violations.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { ViolationList, type ViolationListProps } from '../../../domain/proof/violation-list.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { failureOf, violationsOf } from '../../../model/facts/failure.js';
import { fieldName } from '../../../model/facts/locations.js';
import { useForkNames } from '../../../server-state/forks.js';
import { Glyph } from '../../../ui/glyph.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { usePortion } from '../../../ui/use-portion.js';
import { type OfParent, withChoice } from '../compare/promotion-draft.js';
import { eventsText } from '../fork-words.js';

interface VerdictProps {
  readonly dryRun: UseQueryResult<Pick<PromoteSuccess, 'warnings'>>;
  /** Whose guards they are: what they refuse is about what is there, and what would be. */
  readonly guardsOf: string;
  /** Where a violation can be mended. */
  readonly mendOn: string;
  /** What is tried, by which the proofs of what would fire are asked for on the fork whose guards they are. */
  readonly tried: string | undefined;
}

/** What the guards of the parent say. */
export function Verdict({ dryRun, guardsOf, mendOn, tried }: VerdictProps) {
  const { data, error, isFetching } = dryRun;
  if (error !== null) {
    const failure = failureOf(error);
    const violations = failure?.code === 'SVC_RUNTIME_CHECK_VIOLATION' ? violationsOf(failure) : [];
    return (
      <section className="fork-sheet-part" aria-label="Guards">
        {failure === undefined || violations.length === 0 ? (
          <FailureView error={error} />
        ) : (
          <>
            <p className="fork-sheet-verdict" role="alert">
              <Glyph kind="blocking" />
              {violations.length === 1
                ? 'A check forbids it'
                : `${violations.length.toLocaleString('en')} new violations forbid it`}
            </p>
            <ForkOfPart.Provider value={guardsOf}>
              <FailureViolations failure={failure} />
            </ForkOfPart.Provider>
            <p className="dim">
              Mend this on <ForkName id={mendOn} />; the sheet looks again by itself.
            </p>
          </>
        )}
        <Button variant="default" size="compact-xs" loading={isFetching} onClick={() => void dryRun.refetch()}>
          Look again
        </Button>
      </section>
    );
  }
  if (data === undefined) {
    return (
      <p className="fork-sheet-part fork-sheet-verdict" role="status">
        <Loader size="xs" /> Trying it out
      </p>
    );
  }
  const { warnings } = data;
  return (
    <section className="fork-sheet-part" aria-label="Guards">
      <p className="fork-sheet-verdict" role="status">
        <Glyph kind="good" />
        No blocking check forbids it
      </p>
      <NewWarnings warnings={warnings} tried={tried} askedOn={guardsOf} />
    </section>
  );
}

/** They forbid nothing, and what would be lost stands below them. */
const WARNINGS_FIRST = 3;

interface NewFiringsProps extends Pick<VerdictProps, 'tried'> {
  readonly firings: readonly Firing[];
  readonly parent: string;
}

/** What checks say of what is made without asking them: nothing forbids it. */
export function NewFirings({ firings, parent, tried }: NewFiringsProps) {
  const violations = firings.filter(({ severity }) => severity === 'blocking');
  const warnings = firings.filter(({ severity }) => severity === 'warning');
  return (
    <section className="fork-sheet-part" aria-label="Checks">
      <p className="fork-sheet-verdict" role="status">
        <Glyph kind={violations.length === 0 ? 'good' : 'blocking'} />
        {violations.length === 0
          ? 'No blocking check would fire newly'
          : violations.length === 1
            ? '1 new violation'
            : `${violations.length.toLocaleString('en')} new violations`}
      </p>
      {violations.length > 0 && (
        <>
          <ViolationList firings={violations} first={WARNINGS_FIRST} tried={tried} />
          <p className="dim">
            Nothing forbids that on a fork. It can be mended there, and has to be before <ForkName id={parent} /> takes
            it.
          </p>
        </>
      )}
      <NewWarnings warnings={warnings} tried={tried} />
    </section>
  );
}

interface NewWarningsProps extends Pick<ViolationListProps, 'kept' | 'tried' | 'askedOn'> {
  readonly warnings: readonly Firing[];
}

/** Before it is done, or once it is. */
export function NewWarnings({ warnings, ...proven }: NewWarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <>
      <h3>{warnings.length === 1 ? '1 new warning' : `${warnings.length.toLocaleString('en')} new warnings`}</h3>
      <ViolationList firings={warnings} first={WARNINGS_FIRST} {...proven} />
    </>
  );
}

interface ConflictsProps {
  readonly conflicts: readonly ForkConflict[];
  readonly parent: string;
  readonly fork: string;
  /** What the changes are of, in words, where they are a part of those of the fork. */
  readonly what?: string;
  /** What was chosen is being tried out. */
  readonly isBusy: boolean;
  readonly onChoose: (ofParent: OfParent) => void;
}

/** Each with what it was, and both values: one of them is kept, the fork's until one chooses. */
export function Conflicts({ conflicts, parent, fork, what, isBusy, onChoose }: ConflictsProps) {
  const { shown, more } = usePortion(conflicts);
  if (conflicts.length === 0) return null;
  const ofParent = conflicts.filter(({ kept }) => kept === 'parent').length;
  return (
    <section className="fork-sheet-part" aria-label="Conflicts">
      <h3 className="fork-sheet-verdict">
        <Glyph kind="warning" />
        {conflicts.length === 1
          ? '1 field was changed on both sides'
          : `${conflicts.length.toLocaleString('en')} fields were changed on both sides`}
      </h3>
      {conflicts.length > 1 && (
        <div className="fork-form-actions">
          <Button variant="default" size="compact-xs" disabled={isBusy || ofParent === 0} onClick={() => onChoose([])}>
            {what === undefined ? <ToFork id={fork}>Keep all of</ToFork> : <span>Keep all of {what}</span>}
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            disabled={isBusy || ofParent === conflicts.length}
            onClick={() => onChoose('all')}
          >
            <ToFork id={parent}>Keep all of</ToFork>
          </Button>
        </div>
      )}
      <ul className="fork-conflicts">
        {shown.map((conflict) => (
          <li key={`${conflict.individual} ${conflict.field}`}>
            <Conflict
              conflict={conflict}
              sides={{ parent, fork }}
              what={what}
              isBusy={isBusy}
              choose={(kept) => {
                const chosen = withChoice(conflicts, conflict, kept);
                return chosen && (() => onChoose(chosen));
              }}
            />
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

interface ConflictProps {
  readonly conflict: ForkConflict;
  readonly sides: Readonly<Record<ForkConflict['kept'], string>>;
  readonly what: string | undefined;
  readonly isBusy: boolean;
  /** Undefined where there are too many to choose one by one. */
  readonly choose: (kept: ForkConflict['kept']) => (() => void) | undefined;
}

function Conflict({ conflict, sides, what, isBusy, choose }: ConflictProps) {
  const { individual, field, base, kept, deleted } = conflict;
  const nameOf = useForkNames();
  const wordsFor = (side: ForkConflict['kept']): string | undefined => (side === 'fork' ? what : undefined);
  const called = (side: ForkConflict['kept']): ReactNode => wordsFor(side) ?? <ForkName id={sides[side]} />;
  return (
    <>
      <p>
        <ReferenceLabel value={individual} reference /> <span className="dim">{fieldName(field)}</span>
        {deleted === true && <span className="dim"> · {called('fork')} deletes it</span>}
      </p>
      <dl className="fork-conflict">
        <dt>was</dt>
        <dd>
          <ReferenceLabel value={base} />
        </dd>
        {(['parent', 'fork'] as const).map((side) => {
          const onKeep = kept === side || deleted === true ? undefined : choose(side);
          return (
            <Fragment key={side}>
              <dt className="cut">{called(side)}</dt>
              <dd className="fork-conflict-choice">
                <span className={kept === side ? '' : 'fork-conflict-lost'}>
                  <ReferenceLabel value={conflict[side]} />
                </span>{' '}
                {kept === side && <span className="dim">kept</span>}
                {onKeep !== undefined && (
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    disabled={isBusy}
                    aria-label={`Keep the value of ${wordsFor(side) ?? nameOf(sides[side])}`}
                    onClick={onKeep}
                  >
                    Keep
                  </Button>
                )}
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </>
  );
}

/** The comparison beside the sheet has what they come to. */
export function WrittenEvents({ events }: { events: readonly WireEvent[] }) {
  const { shown, more } = usePortion(events);
  return (
    <details className="fork-sheet-part fork-sheet-events">
      <summary>{eventsText(events.length)} would be written</summary>
      <EventList events={shown} />
      {more}
    </details>
  );
}
