/** The Invoke panel: the callables, the arguments of the chosen one, and what its last call came to. */

import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { ListFilter } from '../components/list-filter.js';
import { Pane, Panes } from '../components/panes.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded } from '../components/states.js';
import { hasCode } from '../data/failure.js';
import { invokeLocation, moduleLocation, namesOf } from '../data/locations.js';
import { useSchema } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { useArgumentsOfAddress } from './arguments-of-address.js';
import { CallForm } from './call-form.js';
import { callOutcomes } from './call-store.js';
import { type Callable, callablesOf, groupCallables } from './callables.js';
import { ContextFields } from './context-fields.js';
import { OutcomeView } from './outcome-view.js';
import { useCall } from './use-call.js';
import './invoke.css';

export function InvokePanel() {
  const schema = useSchema();
  const [search] = useSearchParams();
  const wanted = search.get('call');
  const navigate = useNavigate();
  const callables = useMemo(() => (schema.data === undefined ? [] : callablesOf(schema.data)), [schema.data]);
  const chosen = callables.find((callable) => callable.path === wanted);
  const first = callables[0]?.path;
  // Something to click is always open.
  useEffect(() => {
    if (wanted === null && first !== undefined) void navigate(invokeLocation(first), { replace: true });
  }, [wanted, first, navigate]);

  if (hasCode(schema.error, 'SVC_RUNTIME_MODULE_NOT_LOADED')) {
    return <NoModuleLoaded title="Nothing to call yet" appears="public queries, mutations and functions" />;
  }
  if (schema.isError) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  return (
    <Panes
      id="invoke"
      panes={[
        {
          id: 'callables',
          size: 264,
          minSize: 180,
          fixed: true,
          content: <CallableList callables={callables} pending={schema.isPending} chosen={chosen?.path} />,
        },
        ...(schema.data === undefined || chosen === undefined
          ? [{ id: 'call', content: <NoCallable wanted={schema.isPending ? null : wanted} /> }]
          : callPanes(chosen, schema.data)),
      ]}
    />
  );
}

function callPanes(callable: Callable, schema: ServedSchema) {
  return [{ id: 'call', content: <Call key={callable.path} callable={callable} schema={schema} /> }];
}

function CallableList({
  callables,
  pending,
  chosen,
}: {
  callables: readonly Callable[];
  pending: boolean;
  chosen: string | undefined;
}) {
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const groups = groupCallables(callables, filter);
  const nameOf = namesOf(callables.map((callable) => callable.path));
  return (
    <Pane title="Callables">
      <ListFilter label="Filter callables" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={8} />}
      <div ref={list}>
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3 className="group-title">{group.title}</h3>
            {group.callables.map((callable) => (
              <Link
                key={callable.path}
                className="row"
                to={invokeLocation(callable.path)}
                aria-current={callable.path === chosen}
              >
                <Cut>{nameOf(callable.path)}</Cut>
              </Link>
            ))}
          </section>
        ))}
      </div>
      {!pending && groups.length === 0 && (
        <p className="pane-padded dim">
          {callables.length === 0
            ? 'The module makes nothing public. Write pub before a query, mutation or fn.'
            : 'No callable has that in its name.'}
        </p>
      )}
    </Pane>
  );
}

function Call({ callable, schema }: { callable: Callable; schema: ServedSchema }) {
  const outcome = useStore(callOutcomes)[callable.path];
  const call = useCall(callable);
  useArgumentsOfAddress(callable);
  return (
    <Panes
      id="call"
      panes={[
        {
          id: 'arguments',
          size: '42%',
          minSize: 280,
          content: (
            <Pane
              label="Arguments"
              title={<h2 className="pane-title">{callable.name}</h2>}
              actions={
                <Link className="link" to={moduleLocation(callable.span)}>
                  Source
                </Link>
              }
            >
              <div className="call-intro">
                <p className="mono">{signature(callable)}</p>
                {callable.doc !== undefined && <p>{callable.doc}</p>}
              </div>
              <CallForm
                callable={callable}
                schema={schema}
                running={outcome?.state === 'running'}
                onRun={(args, dryRun) => void call.run(args, dryRun)}
                onCancel={call.cancel}
              />
              <ContextFields schema={schema} />
            </Pane>
          ),
        },
        {
          id: 'outcome',
          minSize: 280,
          content: (
            <Pane title="Outcome">
              <OutcomeView callable={callable} outcome={outcome} onLoadMore={() => void call.loadMore()} />
            </Pane>
          ),
        },
      ]}
    />
  );
}

function signature(callable: Callable): string {
  const parameters = callable.parameters
    .map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`)
    .join(', ');
  const result = callable.result === null ? '' : ` -> ${typeText(callable.result)}`;
  return `${callable.kind === 'function' ? 'fn' : callable.kind} ${callable.name}(${parameters})${result}`;
}

function NoCallable({ wanted }: { wanted: string | null }) {
  if (wanted === null) return null;
  return (
    <Empty title={`There is no public ${wanted}`}>
      <p>It may have been renamed since the link was made. The callables of the loaded module are on the left.</p>
    </Empty>
  );
}
