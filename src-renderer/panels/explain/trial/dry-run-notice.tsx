/** Says that a hypothetical state is shown, and links to the current one. */

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { type DryRunCall, readDryRun } from '../../../model/calls/dry-run-url.js';
import { usePlace } from '../../../model/calls/place.js';
import { explainLocation, shortName } from '../../../model/facts/locations.js';
import { numberText } from '../../../model/text/count-text.js';
import { Glyph } from '../../../ui/glyph.js';

interface DryRunNoticeProps {
  readonly after: string;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

export function DryRunNotice({ after, relation, tuple }: DryRunNoticeProps) {
  const { fork } = usePlace();
  const tried = readDryRun(after);
  return (
    <section className="notice" aria-label="Tried state">
      <Glyph kind="changed" />
      <div className="notice-body" role="status">
        {tried === undefined ? (
          'This trial is no longer available. Run it again.'
        ) : (
          <>
            Showing <ForkName id={fork} /> as it would be after <DryRunText call={tried.call} />. Nothing was saved.
          </>
        )}
      </div>
      <Button component={Link} variant="default" size="compact-xs" to={explainLocation(relation, tuple)}>
        Show current state
      </Button>
    </section>
  );
}

function DryRunText({ call }: { call: DryRunCall }) {
  if ('import' in call) {
    const { rows, mutation, into = '' } = call.import;
    return (
      <>
        importing {numberText(rows.length)} {rows.length === 1 ? 'row' : 'rows'}{' '}
        {mutation === undefined ? (
          `into ${shortName(into)}`
        ) : (
          <>
            with <Callable path={mutation} />
          </>
        )}
      </>
    );
  }
  if ('promote' in call) {
    return (
      <>
        promoting <ForkName id={call.promote} />
      </>
    );
  }
  if ('update' in call) return 'a rebase';
  if ('pick' in call) {
    return (
      <>
        cherry-picking transaction {numberText(call.pick.txn)} of <ForkName id={call.pick.from} />
      </>
    );
  }
  if ('files' in call) return 'saving the previewed texts, under their rules';
  if ('undo' in call) return `reverting transaction ${numberText(call.undo)}`;
  if ('undoPromotion' in call) {
    return (
      <>
        reverting the promotion of <ForkName id={call.undoPromotion} />
      </>
    );
  }
  const paths = 'steps' in call ? call.steps.map(({ mutation, query, compute }) => mutation ?? query ?? compute) : [];
  const [first] = paths;
  if (first === undefined) return 'the tried changes';
  return (
    <>
      <Callable path={first} />
      {paths.length > 1 && ` and ${paths.length - 1} more`}
    </>
  );
}

function Callable({ path }: { path: string }) {
  return <span className="mono">{shortName(path)}</span>;
}
