/** Changes that anyone makes appear by themselves: the page follows the events of the place that it looks at. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { placeOptions, requiredContext, tenantOf, usePlace } from '../model/calls/place.js';
import { ApiFailure } from '../model/facts/failure.js';
import { createStore, useStore } from '../state/store.js';
import { whileVisible } from '../state/while-visible.js';
import { api } from './api.js';
import { factsChanged, useHealth, useIsSilent, useMayAskFacts } from './queries.js';
import { changesOf } from './seen-changes.js';

/** Many events in a row are one change to look at; what is shown is at most this old. */
const PAUSE_MS = 200;

/** Whether what is shown follows the server by itself just now. */
export const following = createStore(false);

/** Used once, by the shell. A page that nobody sees lets go of its connection, of which a browser has only six a server. */
export function useFollowEvents(): void {
  const client = useQueryClient();
  const { context, fork } = usePlace();
  const required = useStore(requiredContext);
  // A scope is followed on under the next module too; where its facts are set aside, that is told.
  const isLoaded = useHealth().data?.module.loaded === true;
  const mayAsk = useMayAskFacts();
  // One that does not answer is followed again when it does; its health is asked for until then.
  const isSilent = useIsSilent();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has other events to follow.
  useEffect(() => {
    if (!isLoaded || !mayAsk || isSilent) return undefined;
    return whileVisible(() =>
      followUntilStopped({
        tenant: tenantOf(context),
        onChange: () => void factsChanged(client),
        onForks: () => void client.invalidateQueries({ queryKey: ['forks'] }),
        onLost: () => void client.invalidateQueries({ queryKey: ['health'] }),
      }),
    );
  }, [client, context, required, fork, isLoaded, mayAsk, isSilent]);
}

interface Listeners {
  /** Whose events these are. */
  readonly tenant: string;
  /** After each burst of events, and once a connection is there: what happened before it is told to nobody. */
  readonly onChange: () => void;
  /** A fork is called otherwise. */
  readonly onForks: () => void;
  /** Whoever is gone is seen to be at once, rather than when it is next asked how it is. */
  readonly onLost: () => void;
}

function followUntilStopped({ tenant, onChange, onForks, onLost }: Listeners): () => void {
  const abort = new AbortController();
  const changes = changesOf(tenant, onChange, PAUSE_MS);
  const onOpen = (): void => {
    following.set(true);
    // The first one too: what the page has asked for meanwhile may be older.
    changes.restarted();
  };
  const lost = (): void => {
    following.set(false);
    onLost();
  };
  const followOn = async (): Promise<void> => {
    try {
      const listeners = { onOpen, onLost: lost, onOther: onForks };
      for await (const { txn } of api.follow({ ...placeOptions(abort.signal), ...listeners })) changes.happened(txn);
    } catch (failure) {
      if (!isReplaced(failure)) throw failure;
      changes.restarted();
      await followOn();
    }
  };
  void (async () => {
    try {
      await followOn();
    } catch {
      // Refused (a fork that is gone, a tenant to be chosen) or not reached: what is shown says so itself, where it asks.
    } finally {
      following.set(false);
    }
  })();
  return () => {
    changes.cancel();
    abort.abort();
  };
}

/** Another history is under the same name: another fork took the id, or the facts were set aside. */
function isReplaced(failure: unknown): boolean {
  const codes = ['SVC_RUNTIME_FORK_CLOSED', 'SVC_RUNTIME_MODULE_INCOMPATIBLE'];
  return failure instanceof ApiFailure && codes.includes(failure.code);
}
