/** Several facts in one explanation: the marks of each, and one outline and graph in which shared steps appear once. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQueries } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { LoadingRows } from '../../domain/failure/states.js';
import { ClosedForkNotice } from '../../domain/fork/closed-fork-notice.js';
import { type Step, stepsTogether } from '../../domain/proof/proof-outline.js';
import { SentenceLine } from '../../domain/proof/sentence-view.js';
import type { Index } from '../../domain/proof/step-view.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { explainLocation } from '../../model/facts/locations.js';
import { keyOfFact, type NamedFact } from '../../model/facts/together.js';
import { api } from '../../server-state/api.js';
import { explanationKey } from '../../server-state/explanations.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { focusMainPartIfLost } from '../../ui/lost-focus.js';
import { Panes, PaneTitle, useIsNarrow } from '../../ui/panes/panes.js';
import { useLabels } from '../../ui/reference-label.js';
import explainStyles from './explain.module.css';
import { ExportMenu } from './export-menu.js';
import { fetchGraph, StepViews, useSteps } from './step-views.js';
import { explanationsJson, explanationsText } from './steps/export-text.js';
import { Marks } from './steps/marks.js';
import { marksOf } from './steps/proof-choice.js';
import { SelectedStep } from './steps/selected-step.js';
import { sharedSteps } from './steps/shared-steps.js';
import { useNaming } from './steps/step-text.js';
import styles from './together-view.module.css';
import { ViewSwitch } from './view-switch.js';

interface TogetherViewProps {
  readonly facts: readonly NamedFact[];
  readonly index: Index;
  readonly onRemove: (fact: NamedFact) => void;
}

interface ExplainedFact {
  readonly fact: NamedFact;
  readonly explanation: Explanation;
}

export function TogetherView({ facts, index, onRemove }: TogetherViewProps) {
  const explanations = useExplanations(facts);
  useEffect(() => void fetchGraph(), []);
  const explained = useMemo(
    () => explanations.flatMap(({ explanation }, at) => explainedAt(facts[at], explanation)),
    [facts, explanations],
  );
  const isSearching = explained.length === 0 && explanations.some(({ error }) => error === null);
  return (
    <section className="pane" aria-label="Explanation">
      {isSearching ? (
        <>
          <header className="pane-header">
            <PaneTitle>{titleOf(facts)}</PaneTitle>
          </header>
          <LoadingRows />
        </>
      ) : (
        <TogetherSteps {...{ facts, explained, index }}>
          <ul className={styles.together} aria-label="Explained facts">
            {facts.map((fact, at) => (
              <li key={keyOfFact(fact)} className={styles.togetherFact}>
                <Cut>
                  <Link className="link" to={explainLocation(fact.relation, fact.tuple)} title="Explain alone">
                    <SentenceLine relation={fact.relation} tuple={fact.tuple} info={index.get(fact.relation)} />
                  </Link>
                </Cut>
                <FactMarks {...explanations[at]} />
                <span className="pane-spacer" />
                <ActionIcon
                  aria-label={`Remove fact ${at + 1}`}
                  onClick={() => {
                    // The button is gone with the fact.
                    focusMainPartIfLost('[aria-label="Explained facts"]');
                    onRemove(fact);
                  }}
                >
                  <IconX size={12} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        </TogetherSteps>
      )}
    </section>
  );
}

function titleOf(facts: readonly NamedFact[]): string {
  return `${facts.length} facts together`;
}

function explainedAt(fact: NamedFact | undefined, explanation: Explanation | undefined): readonly ExplainedFact[] {
  return fact === undefined || explanation === undefined ? [] : [{ fact, explanation }];
}

/** The marks of one fact. */
function FactMarks({ explanation, error }: { explanation?: Explanation | undefined; error?: Error | null }) {
  if (explanation !== undefined) return <Marks marks={marksOf(explanation, 0)} />;
  if (error === null || error === undefined) return <span className="dim">searching for a proof</span>;
  return (
    <Cut className={styles.togetherFailure} tip={error.message}>
      not explained: {error.message}
    </Cut>
  );
}

interface TogetherStepsProps extends Omit<TogetherViewProps, 'onRemove'> {
  readonly explained: readonly ExplainedFact[];
  /** Shown above the steps. */
  readonly children: ReactNode;
}

function TogetherSteps({ facts, explained, index, children }: TogetherStepsProps) {
  const explanations = useMemo(() => explained.map(({ explanation }) => explanation), [explained]);
  const roots = useMemo(() => stepsTogether(explanations), [explanations]);
  const steps = useSteps(roots);
  const naming = useNaming(roots, index, useLabels());
  const isNarrow = useIsNarrow();
  const [viewParam, setView] = useUrlText('view');
  const view = viewParam === 'grounds' || (isNarrow && viewParam === '') ? 'outline' : viewParam;
  const selectedStep = steps.selected === undefined ? undefined : steps.byId.get(steps.selected);
  const details = <SelectedStep step={selectedStep} index={index} parents={steps.parents} />;
  return (
    <>
      <header className="pane-header">
        <PaneTitle>{titleOf(facts)}</PaneTitle>
        <span className={clsx('dim', 'numeric', styles.togetherShared)}>{sharedText(roots)}</span>
        <span className="pane-spacer" />
        <ViewSwitch view={view} onView={setView} />
        <ExportMenu
          json={() =>
            explanationsJson(
              explained.map(({ fact }) => fact),
              explanations,
            )
          }
          text={() => explanationsText(explanations, naming)}
          graph={steps.graph}
          title={titleOf(facts)}
          naming={naming}
          steps={roots}
        />
      </header>
      {children}
      <ClosedForkNotice onward="Explain on" />
      {roots.length > 0 && (
        <div className={explainStyles.explanationBody}>
          <Panes
            id="explanation"
            orientation="vertical"
            stacks
            panes={[
              {
                id: 'steps',
                minSize: 160,
                content: <StepViews {...{ index, naming, steps, view }} label="Explanations of several facts" />,
              },
              { id: 'details', size: 168, minSize: 72, fixed: true, content: details },
            ]}
          />
        </div>
      )}
    </>
  );
}

/** How many steps more than one of the facts uses. */
function sharedText(roots: readonly Step[]): string {
  const shared = sharedSteps(roots);
  if (shared === 0) return 'No shared steps';
  return shared === 1 ? '1 shared step' : `${shared.toLocaleString('en')} shared steps`;
}

interface FactExplanation {
  /** Undefined until the response arrives. */
  readonly explanation: Explanation | undefined;
  /** Null unless it failed. */
  readonly error: Error | null;
}

/** One request for each fact, with the cache key of a single explanation, so that known explanations are reused. */
function useExplanations(facts: readonly NamedFact[]): readonly FactExplanation[] {
  const place = usePlace();
  return useQueries({
    queries: facts.map(({ relation, tuple }) => ({
      queryKey: [...explanationKey(relation, tuple, place), 1, null],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api
          .explain({ relation, tuple: [...tuple] }, optionsAt(place, signal))
          .then(({ result, moduleHash }) => ({ explanation: result, moduleHash })),
    })),
    combine: explanationsOf,
  });
}

/** Keeps its identity while the responses stay the same. */
function explanationsOf(
  results: readonly UseQueryResult<{ readonly explanation: Explanation }>[],
): readonly FactExplanation[] {
  return results.map(({ data, error }) => ({ explanation: data?.explanation, error }));
}
