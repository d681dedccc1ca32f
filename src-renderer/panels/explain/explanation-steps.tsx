/** The steps of an explanation, as outline and graph, above the details of the selected step. */

import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { explanationSteps } from '../../domain/proof/proof-outline.js';
import type { Index } from '../../domain/proof/step-view.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { useUrlText } from '../../state/url-text.js';
import { Panes, useIsNarrow } from '../../ui/panes/panes.js';
import { useLabels } from '../../ui/reference-label.js';
import styles from './explain.module.css';
import { ExportMenu } from './export-menu.js';
import { useOtherState } from './other-state.js';
import { StepViews, useSteps } from './step-views.js';
import { ClauseValuesForm } from './steps/clause-values-form.js';
import { explanationJson, explanationText } from './steps/export-text.js';
import { GroundsView } from './steps/grounds-view.js';
import { SelectedStep } from './steps/selected-step.js';
import { stepText, useNaming } from './steps/step-text.js';
import { SuggestionsView } from './trial/suggestions-view.js';
import { ViewSwitch } from './view-switch.js';

interface ExplanationStepsProps {
  /** The response as received. */
  readonly received: Explanation;
  /** The explanation with the selected proof first. */
  readonly explanation: Explanation;
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
  /** The header above the steps, which gets the tools. */
  readonly header: (tools: ReactNode) => ReactNode;
}

export function ExplanationSteps(props: ExplanationStepsProps) {
  const { received, explanation, info, tuple, index, header } = props;
  const ofNow = useLabels();
  const labels = useMemo(
    () => ({ ...ofNow, get: (id: string) => received.names?.[id] ?? ofNow.get(id) }),
    [ofNow, received.names],
  );
  const steps = useSteps(useMemo(() => explanationSteps(explanation), [explanation]));
  const naming = useNaming(steps.roots, index, labels);
  const { roots, byId, parents, selected, select, graph } = steps;
  const [viewParam, setView] = useUrlText('view');
  const [ending, setEnding] = useUrlText('ending');
  const other = useOtherState();
  const others = received.rules?.sources;
  const hasSource = other?.rules === undefined;
  const isNarrow = useIsNarrow();
  // A false fact has no grounds.
  const requestedView = viewParam === 'grounds' && !explanation.holds ? '' : viewParam;
  const view = isNarrow && requestedView === '' ? 'outline' : requestedView;
  const selectedStep = selected === undefined ? undefined : byId.get(selected);
  const [root] = roots;
  const sides = (
    <StepViews
      {...{ index, naming, steps, view, hasSource }}
      label={explanation.holds ? 'Proof' : 'Why it is false'}
      grounds={<GroundsView {...{ received, roots, index, selected }} onSelect={select} />}
    />
  );
  const details = (
    <SelectedStep {...{ step: selectedStep, index, parents, others, hasSource, other }}>
      {selectedStep !== undefined && <ClauseValuesForm step={selectedStep} />}
    </SelectedStep>
  );
  const above = { id: 'steps', minSize: 160, content: sides };
  // A stored or declared fact becomes false by removing it, so it needs no suggestions. Nor does another state, which
  // cannot be changed.
  const isOther = other !== undefined;
  const canEnd = explanation.holds && explanation.proof.kind === 'derived' && !isOther;
  const isHelped = canEnd ? ending !== '' : !explanation.holds && !isOther;
  const below = isHelped
    ? {
        id: 'help',
        size: 232,
        minSize: 72,
        fixed: true,
        content: <SuggestionsAndDetails {...{ info, tuple, index, details }} holds={explanation.holds} />,
      }
    : { id: 'details', size: 168, minSize: 72, fixed: true, content: details };
  const tools = (
    <>
      {canEnd && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isHelped}
          onClick={() => setEnding(isHelped ? '' : 'yes')}
        >
          How to make it false
        </Button>
      )}
      <ViewSwitch view={view} onView={setView} hasGrounds={explanation.holds} />
      <ExportMenu
        json={() => explanationJson(received)}
        text={() => explanationText(explanation, naming)}
        graph={graph}
        title={root === undefined ? '' : stepText(root, naming)}
        naming={naming}
        steps={roots}
      />
    </>
  );
  return (
    <>
      {header(tools)}
      <div className={styles.explanationBody}>
        <Panes id={isHelped ? 'why-not' : 'explanation'} orientation="vertical" stacks panes={[above, below]} />
      </div>
    </>
  );
}

interface SuggestionsAndDetailsProps extends Omit<ExplanationStepsProps, 'received' | 'explanation' | 'header'> {
  readonly details: ReactNode;
  readonly holds: boolean;
}

/** The suggestions and the selected step side by side. */
function SuggestionsAndDetails({ details, ...question }: SuggestionsAndDetailsProps) {
  const panes = [
    { id: 'suggestions', size: '50%', minSize: 220, content: <SuggestionsView {...question} /> },
    { id: 'details', minSize: 220, content: details },
  ];
  return <Panes id="help" panes={panes} />;
}
