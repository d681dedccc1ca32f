/** Asks the server what the declaration at the cursor gives: after each key and each change of the facts. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { optionsAt, usePlace } from '../../../model/calls/place.js';
import { api } from '../../../server-state/api.js';
import { useFactsRevision } from '../../../server-state/facts.js';
import { useModuleInfo } from '../../../server-state/module.js';
import type { WorkFile } from '../../../workspace/drafts.js';

export interface LiveQuestion {
  readonly files: readonly WorkFile[];
  readonly file: string;
  readonly offset: number;
  readonly args: Readonly<Record<string, JsonValue>>;
}

export interface LiveAnswer {
  readonly result: LiveResult | undefined;
  /** The text of the file that the result is of. */
  readonly text: string;
  readonly error: unknown;
  /** A later question is under way. */
  readonly isWaiting: boolean;
}

/** Keys of a quick typist come faster. The next one cancels the request on the server too. */
const DEBOUNCE_MS = 30;

const NOTHING: LiveAnswer = { result: undefined, text: '', error: undefined, isWaiting: true };

export function useLiveAnswer({
  files,
  file,
  offset,
  args,
}: LiveQuestion): LiveAnswer & { readonly retry: () => void } {
  const [answer, setAnswer] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const place = JSON.stringify(usePlace());
  const revision = useFactsRevision();
  const moduleHash = useModuleInfo().data?.moduleHash;
  const given = JSON.stringify(args);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other facts, another module and a retry ask again.
  useEffect(() => {
    const abort = new AbortController();
    const text = files.find((each) => each.file === file)?.text ?? '';
    setAnswer((before) => ({ ...before, isWaiting: true }));
    const ask = async (): Promise<void> => {
      try {
        const question = { files, file, offset: Math.min(offset, text.length), args: JSON.parse(given) };
        const { result } = await api.live(bodyOf(question), optionsAt(JSON.parse(place), abort.signal));
        if (!abort.signal.aborted) setAnswer({ result, text, error: undefined, isWaiting: false });
      } catch (error) {
        if (!abort.signal.aborted) setAnswer({ result: undefined, text, error, isWaiting: false });
      }
    };
    const timer = setTimeout(() => void ask(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [files, file, offset, given, place, revision, moduleHash, attempt]);
  return { ...answer, retry: () => setAttempt((count) => count + 1) };
}

function bodyOf({ files, ...question }: LiveQuestion) {
  const changed = files.filter(({ dirty }) => dirty).map(({ file, text }) => ({ file, text }));
  return { ...question, files: changed, args: { ...question.args } };
}

/** The proof of a row of the query at the cursor, under the texts. */
export function useLiveProof(question: LiveQuestion, row: JsonValue) {
  const place = usePlace();
  const body = { ...bodyOf(question), rows: 0, why: row };
  return useQuery({
    queryKey: ['facts', 'live-proof', body, place],
    queryFn: async ({ signal }) => (await api.live(body, optionsAt(place, signal))).result.explanation ?? null,
    retry: false,
  });
}
