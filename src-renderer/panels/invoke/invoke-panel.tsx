/** The Invoke panel: callables, history and saved calls on the left, the selected call or batch on the right. */

import { SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { clsx } from 'clsx';
import { memo, useDeferredValue, useEffect, useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { EnvironmentSwitch } from '../../domain/calls/environment-switch.js';
import { SavedList } from '../../domain/calls/saved-list.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import { TrialNotice } from '../../domain/fork/trial-notice.js';
import { callOfSaved } from '../../model/calls/calls.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import {
  ARGUMENTS_PARAMETER,
  batchLocation,
  invokeLocation,
  namesOf,
  readSavedAddress,
  runLocation,
} from '../../model/facts/locations.js';
import { useCollections } from '../../server-state/collections.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenFirst } from '../../state/heading.js';
import { useOpenName } from '../../state/page-title.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { useStoredText } from '../../state/stored-text.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { TabStrip } from '../../ui/panes/tab-strip.js';
import { useAddressCall } from './address-call.js';
import { BatchView } from './batch-view.js';
import { collectionOfTab, tabId, tabLocation, tabName } from './call-tabs.js';
import { CallView } from './call-view.js';
import { type Callable, callablesOf, groupCallables } from './callables.js';
import { HistoryPane } from './history-pane.js';
import styles from './invoke.module.css';
import { RunView } from './run-view.js';
import { useCallTabs } from './use-call-tabs.js';
import { useRestore } from './use-restore.js';

const SIDES = ['callables', 'history', 'saved'] as const;
type Side = (typeof SIDES)[number];

const isSide = (value: unknown): value is Side => SIDES.some((side) => side === value);

const sideShown = createPersistentStore<Side>('entail.invoke-side', 'callables', isSide);

export function InvokePanel() {
  const schema = useSchema();
  const [search] = useSearchParams();
  const { tabs, active, last, select, another, close } = useCallTabs();
  const batch = active?.path === '';
  const collection = active && collectionOfTab(active);
  const path = batch ? null : (active?.path ?? null);
  const callables = useMemo(() => (schema.data === undefined ? [] : callablesOf(schema.data)), [schema.data]);
  const first = callables[0]?.path;
  const restore = useRestore(callables);
  useAddressCall(callables, schema.data && restore);
  useOpenSaved(schema.data && restore);
  // Opens the last tab, or the first callable, so that the panel is never empty.
  const initial = last === undefined ? (first === undefined ? undefined : invokeLocation(first)) : tabLocation(last);
  const brings = search.has('saved') || search.has(ARGUMENTS_PARAMETER);
  useOpenFirst(active === undefined && !brings ? initial : undefined);
  useOpenName(active === undefined ? undefined : tabName(active));

  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="Nothing to call yet" appears="public queries, mutations and functions" />;
  }
  if (isLost(schema)) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  const selected = batch ? undefined : callables.find((callable) => callable.path === path);
  return (
    <Panes
      id="invoke"
      panes={[
        {
          id: 'callables',
          size: 280,
          minSize: 160,
          fixed: true,
          content: (
            <SidePane
              callables={callables}
              schema={schema.data}
              pending={schema.isPending}
              selected={selected?.path}
              batch={batch}
              onRestore={restore}
            />
          ),
        },
        {
          id: 'call',
          minSize: 560,
          content: (
            <div className={styles.callTabs}>
              {active !== undefined && tabs.length > 0 && (
                <TabStrip
                  label="Calls"
                  noun="call"
                  controls="call-of-tab"
                  tabs={tabs.map((tab) => ({ id: tabId(tab), name: tabName(tab) }))}
                  active={tabId(active)}
                  onSelect={select}
                  onClose={close}
                  onNew={batch || collection !== undefined ? undefined : () => another(active)}
                  end={<EnvironmentSwitch />}
                />
              )}
              <TrialNotice />
              <div
                className={styles.callOfTab}
                id="call-of-tab"
                role="tabpanel"
                aria-label={selected?.name ?? collection ?? 'Call'}
              >
                {schema.data !== undefined && collection !== undefined ? (
                  <RunView key={collection} name={collection} schema={schema.data} onOpen={restore} />
                ) : schema.data !== undefined && batch ? (
                  <BatchView callables={callables} schema={schema.data} />
                ) : schema.data === undefined || selected === undefined || active === undefined ? (
                  <NoCallable path={schema.isPending ? null : path} isEmpty={schema.isSuccess && !first} />
                ) : (
                  <CallView key={tabId(active)} tab={tabId(active)} callable={selected} schema={schema.data} />
                )}
              </div>
            </div>
          ),
        },
      ]}
    />
  );
}

interface SidePaneProps {
  readonly callables: readonly Callable[];
  readonly schema: ServedSchema | undefined;
  readonly pending: boolean;
  readonly selected: string | undefined;
  readonly batch: boolean;
  readonly onRestore: ReturnType<typeof useRestore>;
}

function SidePane({ callables, schema, pending, selected, batch, onRestore }: SidePaneProps) {
  const side = useStore(sideShown);
  const navigate = useNavigate();
  return (
    <Pane
      label="Callables"
      title={
        <>
          <h2 className="visually-hidden">Callables and calls</h2>
          <SegmentedControl
            aria-label="Show"
            value={side}
            onChange={(value) => isSide(value) && sideShown.set(value)}
            data={[
              { value: 'callables', label: 'Callables' },
              { value: 'history', label: 'History' },
              { value: 'saved', label: 'Saved' },
            ]}
          />
        </>
      }
    >
      {side === 'callables' && (
        <>
          <CallableList callables={callables} pending={pending} selected={selected} />
          {callables.length > 0 && (
            <Link className={clsx('row', styles.batchLink)} to={batchLocation()} aria-current={batch}>
              Batch of several calls
            </Link>
          )}
        </>
      )}
      {side === 'history' && schema !== undefined && <HistoryPane schema={schema} onOpen={onRestore} />}
      {side === 'saved' && <SavedList onOpen={onRestore} onRun={(file) => void navigate(runLocation(file))} />}
    </Pane>
  );
}

function NoCallable({ path, isEmpty }: { path: string | null; isEmpty: boolean }) {
  if (path === null) {
    // If there are callables, one is about to open.
    if (!isEmpty) return null;
    return (
      <Empty title="Nothing to call yet">
        <p>
          The module has no public callables. <SourceLink>Declare one</SourceLink>: a query, mutation or fn with pub
          before it.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={`No public callable ${path}`}>
      <p>It may have been renamed. Select a callable on the left.</p>
    </Empty>
  );
}

/** `restore` is undefined until the callables are known. */
function useOpenSaved(restore: ReturnType<typeof useRestore> | undefined): void {
  const collections = useCollections().data;
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const path = readSavedAddress(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the call in the address opens once.
  useEffect(() => {
    if (path === undefined || collections === undefined || restore === undefined) return;
    const { collection, name } = path;
    const call = collections.find((each) => each.name === collection)?.calls.find((each) => each.name === name);
    if (call !== undefined) {
      restore(callOfSaved(call), path, true);
      return;
    }
    notifications.show({ message: `${collection}.calls.json has no call ${name}.` });
    void navigate('/invoke', { replace: true });
  }, [path?.collection, path?.name, collections === undefined, restore === undefined]);
}

interface CallableListProps {
  readonly callables: readonly Callable[];
  readonly pending: boolean;
  readonly selected: string | undefined;
}

function CallableList({ callables, pending, selected }: CallableListProps) {
  const [filter, setFilter] = useStoredText('filter of the callables');
  const deferred = useDeferredValue(filter);
  const groups = useMemo(() => groupCallables(callables, deferred), [callables, deferred]);
  const nameOf = useMemo(() => namesOf(callables.map((callable) => callable.path)), [callables]);
  return (
    <>
      <ListFilter label="Filter callables" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={8} />}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className="group-title">{group.title}</h3>
          {group.callables.map(({ path }) => (
            <Row key={path} path={path} name={nameOf(path)} isSelected={path === selected} />
          ))}
        </section>
      ))}
      {!pending && groups.length === 0 && (
        <p className="pane-padded dim">{callables.length === 0 ? 'No callables' : 'No matches'}</p>
      )}
    </>
  );
}

interface RowProps {
  readonly path: string;
  readonly name: string;
  readonly isSelected: boolean;
}

const Row = memo(function Row({ path, name, isSelected }: RowProps) {
  return (
    <Link className="row in-long-list" to={invokeLocation(path)} aria-current={isSelected}>
      <Cut>{name}</Cut>
    </Link>
  );
});
