/** One request with its response: facts, failure, timing, references and bodies. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RecordedBody, RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import type { ErrorEnvelope } from '../../../src-runtime/api/schemas/schemas.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { JsonTree } from '../../domain/result/json-tree.js';
import { jsonNodes } from '../../domain/result/json-tree-model.js';
import { placeContext, switchTenant } from '../../model/calls/place.js';
import { ApiFailure } from '../../model/facts/failure.js';
import { forksLocation } from '../../model/facts/locations.js';
import { sizeText } from '../../model/text/count-text.js';
import { momentText } from '../../model/text/time-text.js';
import { useHealth } from '../../server-state/health.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { LongText } from '../../ui/long-text.js';
import { LocalNames, ReferenceLabel } from '../../ui/reference-label.js';
import { routeOfCall, useCallText } from './call-text.js';
import styles from './log.module.css';
import { type NamedThing, namedThings } from './named-things.js';
import { RequestPhases } from './request-phases.js';
import { tenantWords } from './request-tenant.js';
import { bodyValue, ERASED_WORDS, glyphOfStatus, isDryRun, timeText } from './request-text.js';

interface RequestViewProps {
  readonly request: RequestDetail;
  /** Without it nothing is linked, since references may not exist here. */
  readonly schema?: ServedSchema | undefined;
  /** The tenant of the request, if the page shows another one. */
  readonly otherTenant?: string | undefined;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function RequestView({ request, schema, otherTenant }: RequestViewProps) {
  const isHere = schema !== undefined && otherTenant === undefined;
  const body = useMemo(() => bodyValue(request.body), [request.body]);
  const answer = useMemo(() => bodyValue(request.answer), [request.answer]);
  const things = useMemo(
    () =>
      (schema === undefined ? [] : namedThings(request, body, answer, schema)).filter(
        (thing) => isHere || !isOfScope(thing),
      ),
    [request, body, answer, schema, isHere],
  );
  const failure = failureIn(request, answer);
  const call = useCallText()(request);
  return (
    <div className={styles.request}>
      {routeOfCall(request) !== undefined && (
        <h3 className={styles.requestCall}>
          {call}
          {isDryRun(request) && <span className={styles.logMark}>dry run</span>}
        </h3>
      )}
      <div className={styles.requestLine}>
        <span className={clsx('mono', styles.requestMethod)}>{request.method}</span>
        <span className="mono request-path">{request.path}</span>
      </div>
      <Facts request={request} otherTenant={otherTenant} />
      {failure !== undefined && (
        <section className={styles.requestPart} aria-label="Failure">
          <LocalNames value={isHere ? undefined : NO_NAMES}>
            <FailureView error={failure} glyph={glyphOfStatus(request)} />
          </LocalNames>
        </section>
      )}
      {request.phases !== undefined && <RequestPhases phases={request.phases} />}
      {things.length > 0 && <Things things={things} />}
      <Body title="Request body" body={request.body} value={body} erased={request.erased === true} />
      <Headers title="Request headers" headers={request.headers} />
      <Body title="Response" body={request.answer} value={answer} erased={request.erased === true} />
      <Headers title="Response headers" headers={request.answerHeaders} />
    </div>
  );
}

/** Facts of a tenant: another tenant has other facts under the same name. */
function isOfScope({ kind, name }: NamedThing): boolean {
  return kind === 'fork' || kind === 'fact' || (kind === 'individual' && name.startsWith('#'));
}

/** The error envelope as an error. */
function failureIn({ status }: RequestDetail, answer: unknown): ApiFailure | undefined {
  const isEnvelope = status >= 400 && typeof answer === 'object' && answer !== null && 'error' in answer;
  return isEnvelope ? new ApiFailure(status, answer as ErrorEnvelope) : undefined;
}

function Facts({ request, otherTenant }: Pick<RequestViewProps, 'request' | 'otherTenant'>) {
  const { status, unfinished, ms, at, fork, tenant, client, requestId, moduleHash, headers, bytes } = request;
  const loaded = useHealth().data?.module.moduleHash;
  return (
    <dl className={styles.requestFacts}>
      <dt>Status</dt>
      <dd className={styles.requestStatus}>
        <Glyph kind={glyphOfStatus(request)} />
        <span className="numeric">{status}</span>
        {unfinished === true && <span className="dim">the client disconnected before the response</span>}
      </dd>
      <dt>Time</dt>
      <dd className="numeric">
        {timeText(ms)} <span className="dim">from {momentText(at)}</span>
      </dd>
      {fork !== undefined && (
        <>
          <dt>Fork</dt>
          <dd>
            {otherTenant === undefined ? (
              <Link className="link" to={forksLocation(fork)}>
                <ForkName id={fork} />
              </Link>
            ) : (
              fork
            )}
          </dd>
        </>
      )}
      {(tenant ?? otherTenant) !== undefined && (
        <>
          <dt>Tenant</dt>
          <dd>
            {tenantWords(tenant ?? '')}
            {otherTenant !== undefined && <OtherTenant tenant={otherTenant} />}
          </dd>
        </>
      )}
      <dt>Client</dt>
      <dd>{client ?? headers['user-agent'] ?? 'unknown'}</dd>
      <dt>Size</dt>
      <dd className="numeric">{sizeText(bytes)}</dd>
      <dt>Request id</dt>
      <dd className="mono">{requestId}</dd>
      <dt>Module</dt>
      <dd>
        <span className="mono">{moduleHash === '' ? 'none' : moduleHash.slice(0, 12)}</span>
        {loaded !== undefined && loaded !== moduleHash && <span className="dim"> a different one is loaded now</span>}
      </dd>
    </dl>
  );
}

function OtherTenant({ tenant }: { tenant: string }) {
  const shown = useStore(placeContext)['tenantId'];
  return (
    <>
      <span className="dim">
        {shown === undefined ? ', but the page has no tenant.' : `, but the page shows ${shown}.`}{' '}
      </span>
      <button type="button" className="plain link" onClick={() => switchTenant(tenant)}>
        Switch to {tenantWords(tenant)}
      </button>
    </>
  );
}

const KIND_WORDS: Record<NamedThing['kind'], string> = {
  callable: 'Callable',
  relation: 'Facts',
  check: 'Check',
  rule: 'Rule',
  individual: 'Individual',
  fork: 'Fork',
  source: 'Source',
  fact: 'Explain',
};

function Things({ things }: { things: readonly NamedThing[] }) {
  return (
    <section className={styles.requestPart} aria-label="References">
      <h3>References</h3>
      <ul className={styles.requestThings}>
        {things.map(({ kind, name, to }) => (
          <li key={`${kind} ${name}`}>
            <span className="dim">{KIND_WORDS[kind]}</span>
            <Link className="link" to={to}>
              {kind === 'individual' ? <ReferenceLabel value={name} /> : <span className="mono">{name}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BodyProps {
  readonly title: string;
  readonly body: RecordedBody | null;
  readonly value: unknown;
  readonly erased: boolean;
}

function Body({ title, body, value, erased }: BodyProps) {
  return (
    <section className={styles.requestPart} aria-label={title}>
      <h3>
        {title}
        {body !== null && <span className={clsx('dim', 'numeric', styles.requestSize)}>{sizeText(body.bytes)}</span>}
      </h3>
      {erased ? (
        <p className="dim">{ERASED_WORDS}</p>
      ) : body === null ? (
        <p className="dim">No body</p>
      ) : value !== undefined ? (
        <BodyTree title={title} value={value} />
      ) : (
        <>
          {body.cut && (
            <p className="dim">
              Truncated by the log: {sizeText(body.text.length)} of {sizeText(body.bytes)}.
            </p>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
          <section className={styles.requestText} tabIndex={0} aria-label={`${title}, as text`}>
            <pre className="mono">
              <LongText first={TEXT_SHOWN_FIRST}>{body.text}</LongText>
            </pre>
          </section>
        </>
      )}
    </section>
  );
}

/** Characters of a body that is no JSON. */
const TEXT_SHOWN_FIRST = 10_000;

/** Rows of a body before it scrolls. */
const BODY_ROWS_MAX = 16;

function BodyTree({ title, value }: { title: string; value: unknown }) {
  const nodes = useMemo(() => jsonNodes(value), [value]);
  return <JsonTree label={title} nodes={nodes} rowsMax={BODY_ROWS_MAX} />;
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details className={clsx(styles.requestPart, styles.requestHeaders)}>
      <summary>
        {title} <span className="dim numeric">{entries.length}</span>
      </summary>
      <dl className={clsx(styles.requestFacts, 'mono')}>
        {entries.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
      </dl>
    </details>
  );
}
