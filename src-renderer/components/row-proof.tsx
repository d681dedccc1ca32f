/** Why a row of an ad-hoc derive holds: its proof as an outline, asked for when it is wanted. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Explanation } from '../../src-runtime/api/explanation-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { FailureView } from '../components/failure-view.js';
import { allSteps, explanationSteps } from '../components/proof-outline.js';
import { LoadingRows } from '../components/states.js';
import { StepDetails } from '../components/step-details.js';
import { StepGlyph, StepLine } from '../components/step-view.js';
import { Tree } from '../components/tree.js';
import { api } from '../data/api.js';
import { isEntity } from '../data/labels.js';
import { placeOptions, usePlace } from '../data/place.js';
import type { RelationInfo } from '../data/relation-index.js';

interface RowProofProps {
  readonly source: string;
  readonly row: JsonValue;
  readonly index: ReadonlyMap<string, RelationInfo>;
}

export function RowProof({ source, row, index }: RowProofProps) {
  const [asked, setAsked] = useState(false);
  const place = usePlace();
  const tuple = useMemo(() => tupleOfRow(row), [row]);
  const explanation = useQuery({
    queryKey: ['facts', 'explain-adhoc', source, tuple, place],
    queryFn: ({ signal }) =>
      api.explainAdhoc({ source, tuple: [...tuple] }, placeOptions(signal)).then((answer) => answer.result),
    enabled: asked,
  });
  const steps = useMemo(
    () => (explanation.data === undefined ? [] : explanationSteps(explanation.data)),
    [explanation.data],
  );
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string | undefined>(undefined);
  if (!asked) {
    return (
      <div className="row-proof-ask">
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
  const chosen = allSteps(steps).find((step) => step.id === selected);
  const known = withRowRelation(index, explanation.data, row);
  return (
    <section className="row-proof" aria-label="Proof of the row">
      <div className="row-proof-tree">
        <Tree
          label="Proof of the row"
          roots={steps}
          collapsed={collapsed}
          onCollapsedChange={setCollapsed}
          selected={selected}
          onSelect={(step) => setSelected(step.id)}
          renderNode={(step) => (
            <span className="row-proof-step">
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

/** The schema does not know the relation of an ad-hoc derive; its rows tell what its endpoints are called. */
function withRowRelation(
  index: ReadonlyMap<string, RelationInfo>,
  explanation: Explanation,
  row: JsonValue,
): ReadonlyMap<string, RelationInfo> {
  const path = explanation.holds ? explanation.proof.relation : explanation.whyNot.relation;
  if (path === undefined || typeof row !== 'object' || row === null || Array.isArray(row)) return index;
  const endpoints = Object.entries(row).map(([name, value]) => ({
    name,
    type: isEntity(value)
      ? { kind: 'class' as const, path: value.$meta.type }
      : { kind: 'scalar' as const, name: 'Text' as const },
  }));
  return new Map([...index, [path, { path, kind: 'derived', endpoints, doc: undefined, span: undefined }]]);
}

/** The values of a derive's row, in the order of its parameters; individuals by their references. */
function tupleOfRow(row: JsonValue): readonly JsonValue[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return [row];
  return Object.values(row).map((value) => (isEntity(value) ? value.$id : (value ?? null)));
}
