/** The proof of a row of a query or derive, requested on demand. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type SentCall, textOf } from '../../model/calls/calls.js';
import { isEntity } from '../../model/facts/labels.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { api } from '../../server-state/api.js';
import { Tree } from '../../ui/tree.js';
import { FailureView } from '../failure/failure-view.js';
import { LoadingRows } from '../failure/states.js';
import { collapsedAtFirst } from '../proof/outline-opening.js';
import { allSteps, explanationSteps } from '../proof/proof-outline.js';
import { StepDetails } from '../proof/step-details.js';
import { StepGlyph, StepLine } from '../proof/step-view.js';
import styles from './row-details.module.css';

interface RowProofProps {
  /** The call of the row. */
  readonly call: SentCall;
  readonly row: JsonValue;
  readonly index: ReadonlyMap<string, RelationInfo>;
  /** Requests it at once. */
  readonly isAsked: boolean;
}

export function RowProof({ call, row, index, isAsked }: RowProofProps) {
  const [asked, setAsked] = useState(isAsked);
  const explanation = useQuery({
    queryKey: ['facts', 'explain-row', call, row],
    queryFn: ({ signal }) => explanationOf(call, row, signal),
    enabled: asked,
    retry: false,
  });
  if (!asked) {
    return (
      <div className={styles.rowProofAsk}>
        <Button variant="default" onClick={() => setAsked(true)}>
          Explain this row
        </Button>
      </div>
    );
  }
  if (explanation.isPending) return <LoadingRows rows={3} />;
  if (explanation.isError) {
    return (
      <div className="pane-padded">
        <FailureView error={explanation.error} />
      </div>
    );
  }
  return <ProofTree explanation={explanation.data} row={row} index={index} />;
}

interface ProofTreeProps extends Pick<RowProofProps, 'row' | 'index'> {
  readonly explanation: Explanation;
}

/** The steps of a row's proof, and details of the selected one. */
export function ProofTree({ explanation, row, index }: ProofTreeProps) {
  const steps = useMemo(() => explanationSteps(explanation), [explanation]);
  const [chosenCollapsed, setCollapsed] = useState<ReadonlySet<string> | undefined>(undefined);
  const collapsed = useMemo(() => chosenCollapsed ?? collapsedAtFirst(steps), [chosenCollapsed, steps]);
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const chosen = allSteps(steps).find((step) => step.id === selected);
  const known = withRowRelation(index, explanation, row);
  return (
    <section className={styles.rowProof} aria-label="Row proof">
      <div className={styles.rowProofTree}>
        <Tree
          label="Row proof"
          roots={steps}
          collapsed={collapsed}
          onCollapsedChange={setCollapsed}
          selected={selected}
          onSelect={(step) => setSelected(step.id)}
          renderNode={(step) => (
            <span className={styles.rowProofStep}>
              <StepGlyph kind={step.kind} />
              <StepLine step={step} index={known} />
            </span>
          )}
        />
      </div>
      {chosen !== undefined && <StepDetails step={chosen} index={known} />}
    </section>
  );
}

async function explanationOf(
  { request, context, fork }: SentCall,
  row: JsonValue,
  signal: AbortSignal,
): Promise<Explanation> {
  const options = {
    context: Object.fromEntries(Object.entries(context).filter(([, value]) => value !== '')),
    fork,
    signal,
  };
  if (request.kind === 'batch') throw new Error('Rows of a batch cannot be explained.');
  const asked = { args: { ...request.args }, row: referring(row) };
  const answer =
    request.kind === 'adhoc'
      ? await api.explainAdhoc({ ...textOf(request), ...asked }, options)
      : await api.explainRow({ path: request.path, ...asked }, options);
  return answer.result;
}

/** Replaces entities by references, also in lists and records. */
export function referring(row: JsonValue): JsonValue {
  if (isEntity(row)) return row.$id;
  if (typeof row !== 'object' || row === null) return row;
  if (Array.isArray(row)) return row.map(referring);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, referring(value)]));
}

/** The relation of rows is not in the schema. Its endpoints are named by the columns. */
function withRowRelation(
  index: ReadonlyMap<string, RelationInfo>,
  explanation: Explanation,
  row: JsonValue,
): ReadonlyMap<string, RelationInfo> {
  const path = explanation.holds ? explanation.proof.relation : explanation.whyNot.relation;
  if (path === undefined) return index;
  const isRecord = typeof row === 'object' && row !== null && !Array.isArray(row) && !isEntity(row);
  const cells = isRecord ? Object.entries(row).filter(([, value]) => value !== null) : [['value', row] as const];
  const endpoints = cells.map(([name, value]) => ({
    name,
    type: isEntity(value)
      ? { kind: 'class' as const, path: value.$meta.type }
      : { kind: 'scalar' as const, name: 'Text' as const },
  }));
  return new Map([...index, [path, { path, kind: 'derived', endpoints, doc: undefined, span: undefined }]]);
}
