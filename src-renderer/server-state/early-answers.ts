/** Answers that are asked for before the page's code is there to ask, and handed over once it does. */

import { ONCE_HEADER } from '../../src-runtime/api/headers.js';

export interface EarlyAnswers {
  /** Nothing, where the page's code came first and has asked by itself: what nobody takes would be taken for news later. */
  ask(paths: readonly string[], headers: Headers): void;
  /** The body of a success that was asked early, without taking it; undefined for anything else. */
  peek(path: string): Promise<unknown>;
  /** `fetch`, but for what was asked early with the same headers: that is answered once with what came of it. */
  readonly fetch: typeof fetch;
}

export function createEarlyAnswers(send: typeof fetch): EarlyAnswers {
  const early = new Map<string, { readonly answer: Promise<Response>; readonly headers: Headers }>();
  let isLate = false;
  return {
    ask(paths, headers) {
      if (isLate) return;
      for (const path of paths) {
        const answer = send(path, { headers });
        early.set(path, { answer, headers });
        // Whoever takes it sees the failure; nobody may.
        answer.catch(() => undefined);
      }
    },
    async peek(path) {
      try {
        const answer = await early.get(path)?.answer;
        return answer?.ok === true ? await answer.clone().json() : undefined;
      } catch {
        return undefined;
      }
    },
    fetch(input, init) {
      isLate = true;
      const path = typeof input === 'string' && (init?.method ?? 'GET') === 'GET' ? input : '';
      const asked = early.get(path);
      if (asked === undefined || !isSame(asked.headers, init?.headers ?? {})) return send(input, init);
      early.delete(path);
      return asked.answer;
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** The id that each request has of its own asks for nothing else; another fork or tenant does. */
function isSame(early: Headers, late: HeadersInit): boolean {
  const { [ONCE_HEADER]: _id, ...others } = late as Headers;
  const names = Object.keys(others);
  return names.length === Object.keys(early).length && names.every((name) => early[name] === others[name]);
}

export const earlyAnswers = createEarlyAnswers((input, init) => fetch(input, init));
