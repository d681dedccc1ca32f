/** The Query panel: ad-hoc queries, derives and mutations in tabs, with results, history and saved queries. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconListTree } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { EnvironmentSwitch } from '../../domain/calls/environment-switch.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded } from '../../domain/failure/states.js';
import { offerReopening } from '../../domain/fork/closed-notice.js';
import { forgetSort } from '../../domain/result/result-sort.js';
import type { CallRequest } from '../../model/calls/calls.js';
import {
  newTab,
  queryKey,
  queryTabs,
  tabForText,
  tabName,
  withChange,
  withoutTab,
  withTab,
} from '../../model/calls/query-tabs.js';
import { type SavedOrigin, setOrigin } from '../../model/calls/saved-origins.js';
import { enclosingModule } from '../../model/facts/enclosing-module.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import { queryLocation } from '../../model/facts/locations.js';
import { useHealth } from '../../server-state/health.js';
import { useSchema } from '../../server-state/module.js';
import { leaveCall } from '../../server-state/run-call.js';
import { useOpenName } from '../../state/page-title.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { Panes, useIsNarrow } from '../../ui/panes/panes.js';
import { TabStrip } from '../../ui/panes/tab-strip.js';
import styles from './query.module.css';
import { dropEditorState } from './query-editor.js';
import { QuerySide } from './query-side.js';
import { QueryWork } from './query-work.js';
import { SchemaPane } from './schema-pane.js';

export function QueryPanel() {
  const schema = useSchema();
  const health = useHealth();
  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="Nothing to query yet" appears="concepts and relations" />;
  }
  if (isLost(schema)) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  if (schema.data === undefined) return <LoadingRows rows={8} />;
  if (health.data?.adhoc === false) return <AdhocDisabled />;
  return <Queries schema={schema.data} />;
}

const SCHEMA_PANE = { id: 'query-schema', name: 'schema', size: 240, minSize: 180, fixed: true } as const;

function Queries({ schema }: { schema: ServedSchema }) {
  const state = useStore(queryTabs);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const openTab = search.get('tab');
  const active = state.tabs.find(({ id }) => id === (openTab ?? state.active)) ?? state.tabs[0];
  useOpenName(active === undefined ? undefined : tabName(active));
  const select = useCallback((id: string): void => void navigate(queryLocation(id), { replace: true }), [navigate]);
  // Keeps the address and the stored tab in agreement.
  useEffect(() => {
    if (active === undefined) return;
    if (openTab !== active.id) select(active.id);
    queryTabs.update((current) => (current.active === active.id ? current : { ...current, active: active.id }));
  }, [active, openTab, select]);
  const open = useCallback(
    (request: CallRequest, origin?: SavedOrigin): void => {
      if (request.kind !== 'adhoc') return;
      const { state: next, id } = tabForText(queryTabs.get(), request, crypto.randomUUID());
      queryTabs.set(next);
      if (origin !== undefined) setOrigin(queryKey(id), origin);
      select(id);
    },
    [select],
  );
  const create = (): void => {
    const id = crypto.randomUUID();
    queryTabs.update((current) => withTab(current, newTab(id, '', active?.module)));
    select(id);
  };
  const close = (id: string): void => {
    const next = withoutTab(queryTabs.get(), id, crypto.randomUUID());
    dropEditorState(id);
    leaveCall(queryKey(id));
    forgetSort(queryKey(id));
    setOrigin(queryKey(id), undefined);
    queryTabs.set(next);
    select(next.active);
    const closed = state.tabs.find((tab) => tab.id === id);
    if (closed === undefined || closed.source.trim() === '') return;
    offerReopening(tabName(closed), () => {
      queryTabs.update((current) => withTab(current, closed));
      select(id);
    });
  };
  const side = useMemo(() => <QuerySide onOpen={open} />, [open]);
  const [isSchemaShown, showSchema] = useSchemaShown();
  const enclosing = useMemo(() => enclosingModule(schema, active?.module), [schema, active?.module]);
  const schemaPane = useMemo(
    () => <SchemaPane schema={schema} enclosing={enclosing} onClose={() => showSchema(false)} />,
    [schema, enclosing, showSchema],
  );
  if (active === undefined) return null;
  return (
    <Panes
      id="query"
      panes={[
        ...(isSchemaShown ? [{ ...SCHEMA_PANE, content: schemaPane }] : []),
        {
          ...{ id: 'query-main', name: 'query', minSize: 360 },
          content: (
            <div className={styles.queryMain}>
              <TabStrip
                label="Queries"
                noun="query"
                controls="text-of-query"
                tabs={state.tabs.map((tab) => ({ id: tab.id, name: tabName(tab) }))}
                active={active.id}
                onSelect={select}
                onRename={(id, name) => queryTabs.update((current) => withChange(current, id, { name }))}
                onClose={close}
                onNew={create}
                end={
                  <>
                    <SchemaSwitch isShown={isSchemaShown} onChange={showSchema} />
                    <EnvironmentSwitch />
                  </>
                }
              />
              <QueryWork key={active.id} tab={active} schema={schema} enclosing={enclosing} />
            </div>
          ),
        },
        { id: 'query-side', name: 'saved queries', size: 248, minSize: 200, fixed: true, content: side },
      ]}
    />
  );
}

function AdhocDisabled() {
  return (
    <Empty title="Ad-hoc queries are disabled">
      <p>
        The server was started with <span className="mono">--no-adhoc</span>. Run declared queries in Invoke, or restart
        the server without this option.
      </p>
    </Empty>
  );
}

const CHOICES = ['by room', 'shown', 'hidden'] as const;
type Choice = (typeof CHOICES)[number];

const isChoice = (value: unknown): value is Choice => CHOICES.some((choice) => choice === value);

const choice = createPersistentStore<Choice>('entail.query-schema-shown', 'by room', isChoice);

/** From this width on, the schema fits beside the other panes. */
const ROOMY = '(min-width: 1280px)';

function showByChoice(isShown: boolean): void {
  choice.set(isShown ? 'shown' : 'hidden');
}

/** Shows or hides the schema. By default it shows if there is room. */
function useSchemaShown(): [boolean, (isShown: boolean) => void] {
  const stored = useStore(choice);
  const isRoomy = useMediaQuery(ROOMY, false, { getInitialValueInEffect: false });
  const isNarrow = useIsNarrow();
  // In a narrow window the schema is above the text, so it starts closed.
  const [isOpened, setOpened] = useState(false);
  if (isNarrow) return [isOpened, setOpened];
  const isShown = stored === 'by room' ? isRoomy : stored === 'shown';
  return [isShown, showByChoice];
}

interface SchemaSwitchProps {
  readonly isShown: boolean;
  readonly onChange: (isShown: boolean) => void;
}

function SchemaSwitch({ isShown, onChange }: SchemaSwitchProps) {
  return (
    <Tooltip label="Show the schema">
      <ActionIcon aria-label="Schema" aria-pressed={isShown} onClick={() => onChange(!isShown)}>
        <IconListTree size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
