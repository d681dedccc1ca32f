/** Two requests side by side with their differences. The second is selected in the list. */

import { CloseButton } from '@mantine/core';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { Empty, LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { logLocation } from '../../../model/facts/locations.js';
import { sizeText } from '../../../model/text/count-text.js';
import { momentText } from '../../../model/text/time-text.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane } from '../../../ui/panes/panes.js';
import styles from '../log.module.css';
import { ERASED_WORDS, timeText } from '../request-text.js';
import { useRequest } from '../use-request.js';
import { ComparedBodies } from './compared-bodies.js';

/** `second` is empty until selected. `onEnd` returns to the first request. */
export function ComparisonPane({ first, second, onEnd }: { first: string; second: string; onEnd: () => void }) {
  const [left, right] = [useRequest(first), useRequest(second)];
  return (
    <Pane title="Comparison" actions={<CloseButton aria-label="Close the comparison" onClick={onEnd} />}>
      {left.isError ? (
        <MissingRequest title="The first request is not available" detail={left}>
          {second !== '' && second !== first && (
            <Link className="link" to={logLocation(second)}>
              Show only the second
            </Link>
          )}
        </MissingRequest>
      ) : second === '' || second === first ? (
        <Choosing isFirst={second === first} />
      ) : right.isError ? (
        <MissingRequest title="The second request is not available" detail={right}>
          <p>Select another one in the list.</p>
        </MissingRequest>
      ) : left.data === undefined || right.data === undefined ? (
        <LoadingRows rows={8} />
      ) : (
        <Compared first={left.data} second={right.data} />
      )}
    </Pane>
  );
}

function Choosing({ isFirst }: { isFirst: boolean }) {
  return (
    <div role="status">
      <Empty title={isFirst ? 'That is the first request' : 'Select a second request'}>
        <p>Select it in the list by mouse or arrow keys. Press Escape to end the comparison.</p>
      </Empty>
    </div>
  );
}

interface MissingRequestProps {
  readonly title: string;
  readonly detail: ReturnType<typeof useRequest>;
  readonly children: ReactNode;
}

function MissingRequest({ title, detail, children }: MissingRequestProps) {
  return (
    <>
      <div className="pane-padded">
        <h3>{title}</h3>
        {children}
      </div>
      <LoadFailure error={detail.error} onRetry={() => void detail.refetch()} />
    </>
  );
}

const NAMES = ['first', 'second'] as const;

function Compared({ first, second }: { first: RequestDetail; second: RequestDetail }) {
  const isErased = first.erased === true || second.erased === true;
  return (
    <>
      <Facts first={first} second={second} />
      {isErased ? (
        <p className={clsx(styles.requestPart, 'dim')}>{ERASED_WORDS}</p>
      ) : (
        <>
          <section className={styles.requestPart} aria-label="Request body">
            <ComparedBodies
              title="Request body"
              noun="request body"
              names={NAMES}
              before={first.body}
              now={second.body}
            />
          </section>
          <section className={styles.requestPart} aria-label="Response">
            <ComparedBodies
              title="Response"
              noun="response"
              names={NAMES}
              before={first.answer}
              now={second.answer}
              isOther={first.status !== second.status}
            />
          </section>
        </>
      )}
    </>
  );
}

/** Compared facts; undefined shows a dash. */
const FACTS: readonly { readonly name: string; readonly of: (request: RequestDetail) => string | undefined }[] = [
  { name: 'Method', of: ({ method }) => method },
  { name: 'Path', of: ({ path }) => path },
  { name: 'Status', of: ({ status }) => String(status) },
  { name: 'Code', of: ({ code }) => code },
  { name: 'Fork', of: ({ fork }) => fork },
  { name: 'Tenant', of: ({ headers }) => headers['x-tenant-id'] },
  { name: 'Principal', of: ({ headers }) => headers['x-principal-id'] },
  { name: 'Context', of: ({ headers }) => otherContext(headers) },
  { name: 'Client', of: ({ client, headers }) => client ?? headers['user-agent'] },
  { name: 'Module', of: ({ moduleHash }) => moduleHash.slice(0, 12) || undefined },
];

/** Context fields without a row. */
function otherContext(headers: RequestDetail['headers']): string | undefined {
  const fields = Object.entries(headers).filter(([name]) => name.startsWith('x-context-'));
  return fields.map(([name, value]) => `${name.slice('x-context-'.length)}: ${value}`).join(', ') || undefined;
}

/** These always differ, so they are not marked. */
const MEASURED: typeof FACTS = [
  { name: 'Time', of: ({ ms }) => timeText(ms) },
  { name: 'Size', of: ({ bytes }) => sizeText(bytes) },
  { name: 'At', of: ({ at }) => momentText(at) },
];

function Facts({ first, second }: { first: RequestDetail; second: RequestDetail }) {
  return (
    <table className={clsx(styles.comparedTable, styles.comparedFacts)} aria-label="Both requests">
      <thead>
        <tr>
          <td />
          {[first, second].map(({ requestId }, index) => (
            <th key={requestId} scope="col">
              <Link className="link" to={logLocation(requestId)} title={`Show only ${requestId}`}>
                {index === 0 ? 'First' : 'Second'}
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...FACTS, ...MEASURED].map(({ name, of }) => {
          const [left, right] = [of(first), of(second)];
          if (left === undefined && right === undefined) return null;
          const isOther = left !== right && !MEASURED.some((fact) => fact.name === name);
          return (
            <tr key={name}>
              <th scope="row">
                <span className={styles.comparedKind}>
                  {name}
                  {isOther && <Glyph kind="changed" label="differs" />}
                </span>
              </th>
              <td className="mono">{left ?? '–'}</td>
              <td className="mono">{right ?? '–'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
