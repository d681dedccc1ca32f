/** The changes of a module: conclusions added and removed, new violations, pinned queries, declarations. */

import { clsx } from 'clsx';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import type {
  DeclarationChange,
  ModuleChange,
  RelationChange,
} from '../../../../src-runtime/api/schemas/module-schemas.js';
import { SentenceLine } from '../../../domain/proof/sentence-view.js';
import { ViolationList } from '../../../domain/proof/violation-list.js';
import { PinnedList } from '../../../domain/result/pinned-list.js';
import { textOfDryRun } from '../../../model/calls/dry-run-url.js';
import { MAIN, placeContext } from '../../../model/calls/place.js';
import { explainLocation, queryLocation, shortName } from '../../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../../model/facts/relation-index.js';
import type { SourceFile } from '../../../server-state/api.js';
import { useSchema } from '../../../server-state/module.js';
import { pinnedQueries } from '../../../server-state/pinned-queries.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import styles from '../module.module.css';

interface ChangeListProps {
  readonly change: ModuleChange;
  /** For a preview: the texts whose rules explain what a save would add. */
  readonly preview?: readonly SourceFile[] | undefined;
}

export function ChangeList({ change, preview }: ChangeListProps) {
  const isPreview = preview !== undefined;
  const context = useStore(placeContext);
  // With renames, stored facts have other names than in these texts, so nothing can be explained.
  const isProven = isPreview && change.renames.length === 0;
  const tried = useMemo(
    () => (isProven ? textOfDryRun({ call: { files: [...preview] }, context }) : undefined),
    [isProven, preview, context],
  );
  const schema = useSchema().data;
  const pinned = useStore(pinnedQueries);
  const index = useMemo(() => (schema === undefined ? new Map() : relationIndex(schema)), [schema]);
  // New violations are listed below. This list shows checks that lost violations.
  const facts = change.relations.filter(({ kind, lost, gained }) => kind !== 'check' || lost !== 0 || gained === null);
  // After a rename the server no longer knows the facts by their old names.
  const rules = isPreview || change.renames.length > 0 ? undefined : change.from;
  return (
    <>
      {change.cut && (
        <p className={styles.changesWords}>
          <Glyph kind="warning" /> Comparing took longer than a second. Some conclusions are left out.
        </p>
      )}
      {change.renames.length + change.remarks.length > 0 && (
        <Section title="Stored facts">
          {change.renames.map(({ from, to, facts: count }) => (
            <li key={from} className={styles.changeLine}>
              <span className={clsx(styles.changeCounts, 'numeric')}>{count > 0 && count}</span>
              <span>
                <Glyph kind="good" /> {shortName(from)} renamed to {shortName(to)}
              </span>
            </li>
          ))}
          {change.remarks.map(({ declaration, remark, count }) => (
            <li key={declaration} className={styles.changeLine}>
              <span className={clsx(styles.changeCounts, 'numeric')}>{count}</span>
              <span>
                <Glyph kind="warning" /> {shortName(declaration)} {remark}
              </span>
            </li>
          ))}
        </Section>
      )}
      {facts.length > 0 && (
        <Section title="Conclusions">
          {facts.map((relation) => (
            <RelationLines key={relation.relation} change={relation} {...{ index, isPreview, tried, rules }} />
          ))}
        </Section>
      )}
      {change.firings.length > 0 && (
        <section aria-label="New violations">
          <h3 className="group-title">New violations</h3>
          <div className={styles.changesFirings}>
            <ViolationList
              firings={change.firings}
              isSaved={!isPreview}
              tried={tried}
              askedOn={isPreview ? MAIN : undefined}
            />
          </div>
        </section>
      )}
      {!isPreview && pinned.length > 0 && (
        <section aria-label="Pinned queries">
          <h3 className="group-title">
            Pinned queries, run again{' '}
            <Link className="link" to={queryLocation()}>
              Open Query
            </Link>
          </h3>
          <PinnedList />
        </section>
      )}
      {change.declarations.length > 0 && (
        <Section title="Declarations">
          {change.declarations.map((declaration) => (
            <DeclarationLine key={`${declaration.kind} ${declaration.path}`} declaration={declaration} />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="group-title">{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

interface RelationLinesProps {
  readonly change: RelationChange;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly isPreview: boolean;
  /** The previewed texts, whose rules explain what a save would add. */
  readonly tried: string | undefined;
  /** The previous module, whose rules explain why a fact was true. */
  readonly rules: string | undefined;
}

function RelationLines({ change, index, isPreview, tried, rules }: RelationLinesProps) {
  const { relation, gained, lost, before, after, examples, fault } = change;
  const shown = examples.length;
  const all = (gained ?? 0) + (lost ?? 0);
  return (
    <>
      <li className={styles.changeLine}>
        <span className={clsx(styles.changeCounts, 'numeric')}>
          {gained === null || lost === null
            ? ''
            : `${gained > 0 ? `+${gained}` : ''} ${lost > 0 ? `−${lost}` : ''}`.trim()}
        </span>
        <Link className="link" to={explainLocation(relation)}>
          {shortName(relation)}
        </Link>
        <span className="dim numeric">
          {before ?? '?'} → {after ?? '?'} {after === 1 ? 'fact' : 'facts'}
        </span>
        {fault !== undefined && (
          <span>
            <Glyph kind="blocking" /> {fault}
          </span>
        )}
      </li>
      {examples.map(({ only, factId, tuple }) => {
        const gainedHere = only === 'after';
        const sentence = <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />;
        return (
          <li key={`${only} ${factId}`} className={clsx(styles.changeLine, styles.changeExample)}>
            <Glyph kind={gainedHere ? 'added' : 'removed'} label={gainedHere ? 'added' : 'removed'} />
            {isPreview && gainedHere && tried === undefined ? (
              sentence
            ) : (
              <Link
                className={styles.changeFact}
                to={
                  isPreview && gainedHere
                    ? explainLocation(relation, tuple, MAIN, { after: tried })
                    : explainLocation(relation, tuple)
                }
              >
                {sentence}
              </Link>
            )}
            {!gainedHere && rules !== undefined && (
              <Link className="link change-why" to={explainLocation(relation, tuple, undefined, { rules })}>
                Why it was true
              </Link>
            )}
          </li>
        );
      })}
      {all > shown && (
        <li className={clsx(styles.changeLine, styles.changeExample, 'dim', 'numeric')}>and {all - shown} more</li>
      )}
    </>
  );
}

function DeclarationLine({ declaration: { change, kind, path } }: { declaration: DeclarationChange }) {
  return (
    <li className={styles.changeLine}>
      <Glyph kind={change} />
      <span className={clsx('dim', styles.changeWord)}>{change}</span>
      <span className={clsx('dim', styles.changeWord)}>{kind}</span>
      <span>{shortName(path)}</span>
    </li>
  );
}
