/** Edits a logged request before it is sent again. Its response is then compared with the former one. */

import { Button, CloseButton, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { refreshIfUnfollowed } from '../../../server-state/live.js';
import { jsonOf } from '../../../state/page-storage.js';
import { isRecordOf } from '../../../state/store.js';
import { useStoredText } from '../../../state/stored-text.js';
import { Pane } from '../../../ui/panes/panes.js';
import styles from '../log.module.css';
import { sendAgain } from '../send-again.js';
import { useRequest } from '../use-request.js';
import { draftOf, type RequestDraft, readDraft } from './changed-request.js';

interface ChangedRequestPaneProps {
  readonly requestId: string;
  /** Returns to the request. */
  readonly onEnd: () => void;
  /** Receives the id of the new request. */
  readonly onSent: (requestId: string) => void;
}

export function ChangedRequestPane({ requestId, onEnd, onSent }: ChangedRequestPaneProps) {
  const detail = useRequest(requestId);
  return (
    <Pane title="Send again with changes" actions={<CloseButton aria-label="Discard changes" onClick={onEnd} />}>
      {detail.isError ? (
        <LoadFailure error={detail.error} onRetry={() => void detail.refetch()} />
      ) : detail.data === undefined ? (
        <LoadingRows rows={8} />
      ) : (
        <Editor key={requestId} request={detail.data} onEnd={onEnd} onSent={onSent} />
      )}
    </Pane>
  );
}

interface EditorProps extends Pick<ChangedRequestPaneProps, 'onEnd' | 'onSent'> {
  readonly request: RequestDetail;
}

function Editor({ request, onEnd, onSent }: EditorProps) {
  const client = useQueryClient();
  const { draft, setDraft, forget } = useDraft(request);
  const read = readDraft(request, draft);
  const sending = useMutation({
    mutationFn: async (changed: RequestDetail) => {
      const requestId = await sendAgain(changed);
      if (changed.method !== 'GET') await refreshIfUnfollowed(client);
      return requestId;
    },
    onSuccess: (requestId) => {
      forget();
      onSent(requestId);
    },
  });
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const send = (): void => {
    if ('request' in read && !sending.isPending) sending.mutate(read.request);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onEnd();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };
  const problems = 'request' in read ? {} : read;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside have the focus.
    <div className={styles.requestChanges} onKeyDown={onKeyDown}>
      <div className={clsx(styles.requestChangesLine, 'mono')}>
        <span className={styles.requestMethod}>{request.method}</span> {request.path}
      </div>
      <Textarea
        ref={request.body === null ? first : undefined}
        label="Fork and context"
        description="One header per line, for example x-fork-id: main"
        value={draft.headers}
        error={problems.headersProblem}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        onChange={(event) => setDraft({ ...draft, headers: event.currentTarget.value })}
      />
      {request.body !== null && (
        <Textarea
          ref={first}
          label="Body"
          value={draft.body}
          error={problems.bodyProblem}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          onChange={(event) => setDraft({ ...draft, body: event.currentTarget.value })}
        />
      )}
      <div className={styles.requestChangesActions}>
        <Button variant="default" onClick={forget}>
          Reset
        </Button>
        <Button disabled={!('request' in read)} loading={sending.isPending} onClick={send}>
          Send
        </Button>
      </div>
      {sending.isError && <FailureView error={sending.error} />}
    </div>
  );
}

/** The draft survives a reload, until it is sent or another request is edited. */
function useDraft(request: RequestDetail) {
  const [text, setText] = useStoredText('log changes');
  const kept = jsonOf(text === '' ? null : text);
  const was = draftOf(request);
  const { requestId } = request;
  const isOfIt = isRecordOf(kept, (value) => typeof value === 'string') && kept['requestId'] === requestId;
  return {
    draft: isOfIt ? { ...was, ...kept } : was,
    setDraft: (next: RequestDraft) => setText(JSON.stringify({ ...next, requestId })),
    forget: () => setText(''),
  };
}
