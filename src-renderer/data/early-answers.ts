/** Answers that are asked for before the page's code is there to ask, and handed over once it does. */

export interface EarlyAnswers {
  /** Nothing, where the page's code came first and has asked by itself: what nobody takes would be taken for news later. */
  ask(paths: readonly string[], headers: Readonly<Record<string, string>>): void;
  /** The body of a success that was asked early, without taking it; undefined for anything else. */
  peek(path: string): Promise<unknown>;
  /** `fetch`, but for what was asked early: that is answered once with what came of it. */
  readonly fetch: typeof fetch;
}

export function createEarlyAnswers(send: typeof fetch): EarlyAnswers {
  const early = new Map<string, Promise<Response>>();
  let isLate = false;
  return {
    ask(paths, headers) {
      if (isLate) return;
      for (const path of paths) {
        const answer = send(path, { headers });
        early.set(path, answer);
        // Whoever takes it sees the failure; nobody may.
        answer.catch(() => undefined);
      }
    },
    async peek(path) {
      try {
        const answer = await early.get(path);
        return answer?.ok === true ? await answer.clone().json() : undefined;
      } catch {
        return undefined;
      }
    },
    fetch(input, init) {
      isLate = true;
      const path = typeof input === 'string' && (init?.method ?? 'GET') === 'GET' ? input : '';
      const answer = early.get(path);
      if (answer === undefined) return send(input, init);
      early.delete(path);
      return answer;
    },
  };
}

export const earlyAnswers = createEarlyAnswers((input, init) => fetch(input, init));
