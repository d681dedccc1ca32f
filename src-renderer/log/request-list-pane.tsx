/** The list of requests with its filters: live, or held still while one reads. */

import { ActionIcon, Button, FileButton, Select, Switch, TextInput, Tooltip } from '@mantine/core';
import { IconBraces, IconFileImport, IconListSearch, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ERROR_CODES } from '../../src-runtime/api/errors.js';
import { REPRO_EXTENSION } from '../../src-runtime/api/repro-bundle.js';
import type { RequestSummary } from '../../src-runtime/api/request-log.js';
import { ForkSelect } from '../components/fork-select.js';
import { Pane } from '../components/panes.js';
import { Empty, LoadFailure, LoadingRows } from '../components/states.js';
import { codeLocation } from '../data/locations.js';
import { sortedByName } from '../data/natural-order.js';
import { useSchema } from '../data/queries.js';
import { useTypedText } from '../data/typed-text.js';
import type { Feed } from './feed-news.js';
import { changedAddress, isFiltered, type LogView, orderedRequests, shownRequests } from './log-address.js';
import { openBundleFile } from './opened-bundle.js';
import { useRequestFeed } from './request-feed.js';
import { RequestList } from './request-list.js';
import { keepsTenantsApart } from './request-tenant.js';
import { SaveHar } from './save-har.js';
import { useFoundInBodies } from './use-found-in-bodies.js';

interface RequestListPaneProps {
  readonly view: LogView;
  readonly onEndComparison: () => void;
}

export function RequestListPane({ view, onEndComparison }: RequestListPaneProps) {
  const { feed, isError, error, refetch } = useRequestFeed();
  const [held, setHeld] = useState<readonly RequestSummary[] | undefined>(undefined);
  const hasTenants = keepsTenantsApart(useSchema().data);
  const [, setSearch] = useSearchParams();
  const change = (changes: Parameters<typeof changedAddress>[1]): void =>
    setSearch((current) => changedAddress(current, changes), { replace: true });
  const all = held ?? feed.rows;
  const found = useFoundInBodies(view, feed);
  const rows = orderedRequests(shownRequests(all, view, found), view.order);
  const newer =
    held === undefined
      ? 0
      : shownRequests(feed.rows, view, found).filter(({ seq }) => seq > (held[0]?.seq ?? 0)).length;
  return (
    <Pane
      title="Requests"
      actions={
        <>
          <span className="dim numeric log-count" role="status">
            {countText(rows.length, all.length, newer)}
          </span>
          <LiveButton held={held !== undefined} onToggle={() => setHeld(held === undefined ? feed.rows : undefined)} />
          <SaveHar rows={rows} />
          <OpenBundle />
          <Tooltip label="All error codes">
            <ActionIcon component={Link} to={codeLocation()} aria-label="All error codes">
              <IconListSearch size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <div className="log-list">
        <Filters
          view={view}
          forks={namedIn(feed.rows, 'fork')}
          tenants={hasTenants ? namedIn(feed.rows, 'tenant') : undefined}
          onChange={change}
        />
        {isError && feed.log === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : rows.length === 0 ? (
          <Nothing feed={feed} view={view} onShowAll={() => setSearch({ own: 'shown' }, { replace: true })} />
        ) : (
          <RequestList
            rows={rows}
            chosen={view.with || view.request}
            compared={view.with === undefined ? undefined : view.request}
            hasTenants={hasTenants}
            order={view.order}
            onOrder={(order) => change({ order })}
            onChoose={({ requestId }) =>
              change({ [view.with === undefined ? 'request' : 'with']: requestId, codes: undefined })
            }
            onEndComparison={onEndComparison}
          />
        )}
      </div>
    </Pane>
  );
}

function countText(shown: number, all: number, newer: number): string {
  const part = shown === all ? `${all}` : `${shown} of ${all}`;
  return newer === 0 ? part : `${part}, ${newer} newer`;
}

/** Each once. */
function namedIn(rows: readonly RequestSummary[], field: 'fork' | 'tenant'): string[] {
  const names = new Set(rows.flatMap(({ [field]: name }) => (name === undefined ? [] : [name])));
  return sortedByName([...names], (name) => name);
}

function LiveButton({ held, onToggle }: { held: boolean; onToggle: () => void }) {
  const Icon = held ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={held ? 'Go on with what is new' : 'Hold the list still'}>
      <ActionIcon
        variant={held ? 'light' : 'subtle'}
        color={held ? 'accent' : 'gray'}
        onClick={onToggle}
        aria-label={held ? 'Resume' : 'Pause'}
        aria-pressed={held}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function OpenBundle() {
  return (
    <FileButton accept={`${REPRO_EXTENSION},.json`} onChange={(file) => file !== null && void openBundleFile(file)}>
      {(props) => (
        <Tooltip label="Open a repro bundle">
          <ActionIcon {...props} aria-label="Open a repro bundle">
            <IconFileImport size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  );
}

interface FiltersProps {
  readonly view: LogView;
  readonly forks: readonly string[];
  /** Undefined where the module keeps none apart. */
  readonly tenants: readonly string[] | undefined;
  readonly onChange: (changes: Parameters<typeof changedAddress>[1]) => void;
}

const STATUS_CLASSES = [
  { value: '2xx', label: '2xx answered' },
  { value: '4xx', label: '4xx refused' },
  { value: '5xx', label: '5xx failed' },
];

function Filters({ view: { filter, own, bodies }, forks, tenants, onChange }: FiltersProps) {
  return (
    <search className="log-filters" aria-label="Filter requests">
      <TextField
        value={filter.text ?? ''}
        onChange={(text) => onChange({ text })}
        bodies={bodies}
        onBodies={() => onChange({ bodies: bodies ? undefined : 'too' })}
      />
      <Choice
        label="Status"
        data={STATUS_CLASSES}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        width={132}
      />
      <Choice
        label="Method"
        data={['GET', 'POST', 'PUT', 'DELETE']}
        value={filter.method}
        onChange={(method) => onChange({ method })}
        width={96}
      />
      <ForkSelect
        aria-label="Fork"
        placeholder="Fork"
        data={filter.fork === undefined || forks.includes(filter.fork) ? forks : [...forks, filter.fork]}
        value={filter.fork ?? null}
        onChange={(fork) => onChange({ fork: fork ?? undefined })}
        clearable
        w={112}
      />
      {(tenants !== undefined || filter.tenant !== undefined) && (
        <Choice
          label="Tenant"
          data={tenants ?? []}
          value={filter.tenant}
          onChange={(tenant) => onChange({ tenant })}
          width={112}
        />
      )}
      <Choice
        label="Code"
        data={ERROR_CODES.map((code) => ({ value: code, label: code.replace('SVC_RUNTIME_', '') }))}
        value={filter.code}
        onChange={(code) => onChange({ code })}
        width={184}
      />
      <Switch
        label="The page’s own reading"
        checked={own}
        onChange={(event) => onChange({ own: event.currentTarget.checked ? 'shown' : undefined })}
      />
    </search>
  );
}

interface TextFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** It is looked for in bodies too. */
  readonly bodies: boolean;
  readonly onBodies: () => void;
}

function TextField({ value, onChange, bodies, onBodies }: TextFieldProps) {
  const [text, setText] = useTypedText('text of the log', value, onChange, TYPING_MS);
  return (
    <TextInput
      className="log-text"
      aria-label="Path, callable or request id"
      placeholder={bodies ? 'In bodies too; -word for none' : 'Path, callable or id; -word for none'}
      value={text}
      maxLength={200}
      rightSection={
        <Tooltip label="Look in what was sent and answered too">
          <ActionIcon
            variant={bodies ? 'light' : 'subtle'}
            color={bodies ? 'accent' : 'gray'}
            size="sm"
            aria-label="Look in bodies"
            aria-pressed={bodies}
            onClick={onBodies}
          >
            <IconBraces size={14} />
          </ActionIcon>
        </Tooltip>
      }
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

const TYPING_MS = 120;

interface ChoiceProps {
  readonly label: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly width: number;
}

function Choice({ label, data, value, onChange, width }: ChoiceProps) {
  // What an address names stays to be seen, also where nothing of it is in the list.
  const missing =
    value !== undefined && !data.some((entry) => (typeof entry === 'string' ? entry : entry.value) === value);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={missing ? [...data, value] : [...data]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      searchable={data.length > 12}
      w={width}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

function Nothing({ feed: { log, rows }, view, onShowAll }: { feed: Feed; view: LogView; onShowAll: () => void }) {
  if (log === undefined) return <LoadingRows rows={10} />;
  if (log.requestsMax === 0) {
    return (
      <Empty title="The log is off">
        <p>
          The server was started with <code className="mono">--log-requests 0</code> (or{' '}
          <code className="mono">ENTAIL_LOG_REQUESTS=0</code>). Start it without to see what clients ask.
        </p>
      </Empty>
    );
  }
  const hidden = rows.length;
  const isNarrowed = hidden > 0 && isFiltered(view);
  return (
    <Empty title={isNarrowed ? 'No request fits the filter' : 'No requests yet'}>
      {!isNarrowed && (
        <p>
          Run something in the Invoke panel, or call the API from anywhere: every request appears here as it is
          answered, with what it asked, what it got, and what a failure means.
        </p>
      )}
      {hidden > 0 && (
        <Button variant="default" onClick={onShowAll}>
          {hidden === 1 ? 'Show the 1 request that is hidden' : `Show all ${hidden} that are hidden`}
        </Button>
      )}
    </Empty>
  );
}
