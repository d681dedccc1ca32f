/** The profile of a query: its plan and the rules it reads. Measured when opened, and again on request. */

import { ActionIcon, Button, Loader } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { QueryProfile as Measured } from '../../../src-runtime/api/schemas/profile-schemas.js';
import { type SentCall, textOf } from '../../model/calls/calls.js';
import { durationText, type ProfiledQuery, queryProfileRows } from '../../model/facts/profile.js';
import { api } from '../../server-state/api.js';
import { Pane } from '../../ui/panes/panes.js';
import { FailureView } from '../failure/failure-view.js';
import { ProfileTable } from './profile-table.js';
import styles from './profile-table.module.css';

interface QueryProfileProps {
  /** A query, or an ad-hoc text that reads. */
  readonly call: SentCall;
  readonly query: ProfiledQuery;
  readonly onClose: () => void;
}

export function QueryProfile({ call, query, onClose }: QueryProfileProps) {
  const profile = useQuery({
    queryKey: ['profile', call],
    queryFn: ({ signal }) => profileOf(call, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <Pane
      label="Profile"
      title={`Profile of ${query.name}`}
      actions={
        <>
          <Button variant="subtle" loading={profile.isFetching} onClick={() => void profile.refetch()}>
            Measure again
          </Button>
          <ActionIcon ref={close} aria-label="Close profile" onClick={onClose} onKeyDown={closeOnEscape}>
            <IconX size={14} />
          </ActionIcon>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what has the keys is within. */}
      <div className={styles.queryProfile} onKeyDown={closeOnEscape}>
        {profile.isPending && (
          <p className="pane-padded" role="status">
            <Loader size={12} /> Evaluating…
          </p>
        )}
        {profile.isError && (
          <div className="pane-padded">
            <FailureView error={profile.error} />
          </div>
        )}
        {profile.data !== undefined && <Figures measured={profile.data} query={query} />}
      </div>
    </Pane>
  );
}

function Figures({ measured, query }: { measured: Measured; query: ProfiledQuery }) {
  const rows = useMemo(() => queryProfileRows(measured, query), [measured, query]);
  const { search, rules } = measured;
  const rulesMs = rules.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <>
      <p className={clsx(styles.queryProfileWords, 'numeric')} role="status">
        {search !== undefined && `Query: ${durationText(search.ms)}. `}
        {rules.length === 0 ? 'No rules.' : `Rules: ${durationText(rulesMs)}.`}{' '}
        <span className="dim">Measured without cached rules. Normally, evaluated rules stay cached.</span>
      </p>
      <ProfileTable rows={rows} />
    </>
  );
}

async function profileOf({ request, context, fork }: SentCall, signal: AbortSignal): Promise<Measured> {
  const options = {
    context: Object.fromEntries(Object.entries(context).filter(([, value]) => value !== '')),
    fork,
    signal,
  };
  if (request.kind === 'adhoc') {
    return (await api.profileAdhoc({ ...textOf(request), args: { ...request.args } }, options)).result;
  }
  if (request.kind !== 'query') throw new Error('Only queries have a profile.');
  return (await api.profile({ path: request.path, args: { ...request.args } }, options)).result;
}
