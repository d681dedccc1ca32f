/** What the declaration gives: rows with their changes, a value, the outcome of a test, or why there is nothing. */

import { clsx } from 'clsx';
import { type CSSProperties, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { LiveOutcome, LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../../src-runtime/base/span.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { Empty, LoadingRows } from '../../../domain/failure/states.js';
import { Cell } from '../../../domain/result/result-cell.js';
import type { ShownRow } from '../../../domain/result/result-order.js';
import { ResultRows } from '../../../domain/result/result-rows.js';
import { resultTable } from '../../../domain/result/result-table.js';
import { ProofTree, referring } from '../../../domain/result/row-proof.js';
import { textOfDryRun } from '../../../model/calls/dry-run-url.js';
import { placeContext } from '../../../model/calls/place.js';
import { explainLocation } from '../../../model/facts/locations.js';
import { relationIndex } from '../../../model/facts/relation-index.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import { InlineCode } from '../../../ui/inline-code.js';
import { useLabels } from '../../../ui/reference-label.js';
import { VerdictGlyph } from '../../../ui/verdict-glyph.js';
import styles from './live.module.css';
import { type LiveQuestion, useLiveProof } from './live-request.js';

interface LiveOutcomeProps {
  readonly result: LiveResult;
  readonly schema: ServedSchema;
  readonly question: LiveQuestion;
  readonly openSpan: (span: Span) => void;
}

export function LiveOutcomeView(props: LiveOutcomeProps) {
  const { outcome, declaration, cut, diagnostics } = props.result;
  if (declaration === null) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    return (
      <Empty title="Nothing at the cursor">
        <p>Put the cursor in a derive, check, query, function or test to see what it gives.</p>
        {first !== undefined && <Finding finding={first} openSpan={props.openSpan} />}
      </Empty>
    );
  }
  if (outcome === null) {
    return cut.length > 0 ? null : (
      <p className={clsx('dim', styles.words)}>
        {declaration.kind === 'mutation'
          ? 'A mutation does not run while you type. Use a dry run in Invoke.'
          : 'This declaration gives no rows.'}
      </p>
    );
  }
  switch (outcome.kind) {
    case 'rows':
      return <Rows {...props} outcome={outcome} />;
    case 'value':
      return <Value outcome={outcome} />;
    case 'arguments':
      return <p className={clsx('dim', styles.words)}>Enter {outcome.missing.join(', ')} to see the result.</p>;
    case 'test':
      return <TestOutcome outcome={outcome} />;
    case 'failed':
      return (
        <div className={clsx('notice', styles.failure)} data-tone="blocking" role="alert">
          <Glyph kind="blocking" />
          <div className="notice-body">
            <InlineCode>{outcome.message}</InlineCode>
          </div>
        </div>
      );
    case 'unavailable':
      return (
        <div className={styles.words}>
          <p>Not available until this is fixed:</p>
          <Finding finding={outcome.why} openSpan={props.openSpan} />
        </div>
      );
  }
}

interface FindingProps {
  readonly finding: LiveResult['diagnostics'][number];
  readonly openSpan: (span: Span) => void;
}

/** In a narrow pane, the place is below the message. */
function Finding({ finding: { message, hint, span }, openSpan }: FindingProps) {
  return (
    <div className={styles.why}>
      <Glyph kind="blocking" />
      <div>
        <InlineCode>{message}</InlineCode>
        {hint !== undefined && (
          <span className="dim">
            {' '}
            · <InlineCode>{hint}</InlineCode>
          </span>
        )}
        <br />
        <button type="button" className="plain link" onClick={() => openSpan(span)}>
          {span.file}:{span.start.line}
        </button>
      </div>
    </div>
  );
}

type Of<K extends LiveOutcome['kind']> = { readonly outcome: LiveOutcome & { readonly kind: K } };

/** Rows of relations open in Explain. Rows of a query are no facts: their proof opens below. */
function Rows({ outcome, result, schema, question }: LiveOutcomeProps & Of<'rows'>) {
  const { files } = question;
  const { declaration } = result;
  const navigate = useNavigate();
  const context = useStore(placeContext);
  const nameOf = useLabels().get;
  const [selected, setSelected] = useState<number>();
  const [explained, setExplained] = useState<JsonValue>();
  const isQuery = declaration?.kind === 'query';
  const changed = useMemo(() => files.filter(({ dirty }) => dirty).map(({ file, text }) => ({ file, text })), [files]);
  const shown = useMemo(
    () => outcome.rows.map((row, index) => shownRow(outcome, isQuery, row, index)),
    [outcome, isQuery],
  );
  const table = useMemo(() => resultTable(shown.map(({ row }) => row)), [shown]);
  const onWhy = (place: number | 'whole'): void => {
    const row = place === 'whole' ? undefined : outcome.rows[place];
    if (row === undefined || declaration === null) return;
    if (isQuery) {
      setExplained(referring(row.value));
      return;
    }
    const isOfTexts = row.change !== 'removed' && changed.length > 0;
    const after = isOfTexts ? textOfDryRun({ call: { files: changed }, context }) : undefined;
    void navigate(explainLocation(declaration.path, row.value as JsonValue[], undefined, { after }));
  };
  if (outcome.rows.length === 0) return <p className={clsx('dim', styles.words)}>No rows</p>;
  return (
    <>
      <div className={styles.rows} style={{ '--rows': outcome.rows.length } as CSSProperties}>
        <ResultRows
          label="Live rows"
          rows={shown}
          table={table}
          schema={schema}
          selection={{ index: selected, onSelect: setSelected, onWhy }}
          sort={undefined}
          onSort={undefined}
          isCompared={outcome.compared && outcome.added + outcome.removed > 0}
          nameOf={nameOf}
          found={undefined}
          onEnd={undefined}
          isCompact
        />
      </div>
      {explained !== undefined && <RowProofBelow question={question} row={explained} schema={schema} />}
    </>
  );
}

interface RowProofBelowProps {
  readonly question: LiveQuestion;
  readonly row: JsonValue;
  readonly schema: ServedSchema;
}

function RowProofBelow({ question, row, schema }: RowProofBelowProps) {
  const { data, error, isPending } = useLiveProof(question, row);
  const index = useMemo(() => relationIndex(schema), [schema]);
  if (isPending) return <LoadingRows rows={3} />;
  if (error !== null) return <FailureView error={error} />;
  return data && <ProofTree explanation={data} row={row} index={index} />;
}

function shownRow(
  { columns }: Of<'rows'>['outcome'],
  isQuery: boolean,
  { value, change, message }: Of<'rows'>['outcome']['rows'][number],
  index: number,
): ShownRow {
  const cells = isQuery ? [] : (value as readonly JsonValue[]);
  const named = columns.map(({ name }, at) => [name, cells[at] ?? null] as const);
  const row = isQuery
    ? value
    : Object.fromEntries([...named, ...(message === undefined ? [] : [['message', message]])]);
  return { row, index, mark: change === undefined ? undefined : { kind: change } };
}

function Value({ outcome: { value, before } }: Of<'value'>) {
  return (
    <dl className={styles.value}>
      <dt>Result</dt>
      <dd>
        <Cell value={value} />
      </dd>
      {before !== undefined && (
        <>
          <dt>In the running module</dt>
          <dd className="dim">
            <Cell value={before} />
          </dd>
        </>
      )}
    </dl>
  );
}

function TestOutcome({ outcome: { result } }: Of<'test'>) {
  return (
    <div className={styles.words}>
      <p>
        <VerdictGlyph verdict={result.passed ? 'passed' : 'failed'} /> {result.passed ? 'Passed' : 'Failed'}
      </p>
      {result.failure !== undefined && (
        <>
          <p>
            <InlineCode>{result.failure.message}</InlineCode>
          </p>
          <code className="mono">{result.failure.text}</code>
        </>
      )}
    </div>
  );
}
