/** Sends the request of a repro bundle to this server, and compares both responses. */

import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { placeContext } from '../../../model/calls/place.js';
import { hasCode } from '../../../model/facts/failure.js';
import { logLocation } from '../../../model/facts/locations.js';
import { api } from '../../../server-state/api.js';
import { useHealth } from '../../../server-state/health.js';
import { useStore } from '../../../state/store.js';
import { ComparedBodies } from '../compare/compared-bodies.js';
import styles from '../log.module.css';
import { contextOfTenant } from '../request-tenant.js';
import { canSendAgain, fetchAgain, type NewResponse } from '../send-again.js';
import { harmlessPath } from './harmless-path.js';

export function BundleAgain({ bundle }: { bundle: ReproBundle }) {
  const { request } = bundle;
  const path = harmlessPath(request);
  const again = useMutation({ mutationFn: (to: string) => fetchAgain(request, to) });
  if (path === undefined || !canSendAgain(request)) {
    return (
      <p className="dim">
        {path === undefined
          ? 'This request writes and has no dry run, so it cannot be sent again from here.'
          : 'This request cannot be sent again: its body is incomplete, it is a stream, or its path is invalid.'}
      </p>
    );
  }
  return (
    <>
      <div className={styles.bundleAgain}>
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate(path)}>
          Send again
        </Button>
        <p className="dim">
          Sends it to this server{path === request.path ? '' : ' as a dry run'}. <WhatItMeets bundle={bundle} />
        </p>
      </div>
      {again.isError && <FailureView error={again.error} />}
      {again.isSuccess && <BothAnswers request={request} answer={again.data} />}
    </>
  );
}

/** How module and facts of this server differ from the bundle. */
function WhatItMeets({ bundle }: { bundle: ReproBundle }) {
  const loaded = useHealth().data?.module;
  const facts = useFactsHere(bundle);
  if (loaded === undefined || facts === undefined) return null;
  if (!loaded.loaded) return 'No module is loaded here.';
  const { fork } = bundle.scope;
  const isSame = loaded.moduleHash === bundle.artifact.integrity;
  const module = isSame ? 'It runs the same module' : 'It runs a different module';
  if (facts === 'no fork') return `${module} and has no fork ${fork.id}.`;
  if (isSame && facts === 'same') return `${module} on the same facts.`;
  return `${module}, and ${fork.id} has ${facts === 'same' ? 'the same' : 'different'} facts. The response may differ.`;
}

/** Whether the history of the fork ends at the same transaction as in the bundle. */
function useFactsHere({ scope, savedAt }: ReproBundle): 'same' | 'other' | 'no fork' | undefined {
  const { fork, tenant, events } = scope;
  const last = events.at(-1);
  const context = contextOfTenant(tenant, useStore(placeContext));
  return useQuery({
    queryKey: ['facts', 'bundle', savedAt, fork.id, context],
    queryFn: async ({ signal }) => {
      try {
        const { result } = await api.transactions({ fork: fork.id, context, limit: 1, asOf: undefined, signal });
        return result[0]?.txn === last?.txn && result[0]?.at === last?.at ? 'same' : 'other';
      } catch (error) {
        if (hasCode(error, 'SVC_RUNTIME_FORK_NOT_FOUND')) return 'no fork';
        throw error;
      }
    },
  }).data;
}

function BothAnswers({ request, answer }: { request: RequestDetail; answer: NewResponse }) {
  const now = useMemo(() => ({ text: answer.text, bytes: answer.text.length, cut: false }), [answer.text]);
  const isSameStatus = answer.status === request.status;
  return (
    <section aria-label="New response">
      <ComparedBodies
        title="Response"
        noun="response"
        names={['then', 'now']}
        before={request.answer}
        now={now}
        isOther={!isSameStatus}
      >
        <span className="dim numeric">
          {isSameStatus ? `${answer.status} both times` : `${request.status} then, ${answer.status} now`}
        </span>
        <Link className="link mono" to={logLocation(answer.requestId)} title="See the request in the log">
          {answer.requestId}
        </Link>
      </ComparedBodies>
    </section>
  );
}
