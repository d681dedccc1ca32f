/** Operations of a session as methods, for tests: `session.mutate(…)` instead of `mutate(session, …)`. */

import { noDeadline } from '../../base/ports.js';
import type { RequestFrame, Runtime, Session } from '../index.js';
import { cherryPick } from '../merge/cherry-pick.js';
import { createFork, labelFork } from '../merge/create-fork.js';
import { promoteFork } from '../merge/promote.js';
import { countRebase, previewRebase, rebaseFork } from '../merge/rebase.js';
import { revertPromotion } from '../merge/revert.js';
import { derive } from '../read/derivations.js';
import * as calls from '../session/calls.js';
import { runRead, runWrite } from '../session/create-runtime.js';
import * as explanations from '../session/explanations.js';
import * as forks from '../session/forks.js';
import * as history from '../session/history.js';
import * as lists from '../session/lists.js';
import { abortFork, forkInfo } from '../state/forks.js';

const FUNCTIONS = {
  ...calls,
  ...explanations,
  ...forks,
  ...history,
  ...lists,
  forkInfo: async ({ fork, clock }: Session) => forkInfo(fork, clock),
  createFork: (session: Session, request: Parameters<typeof createFork>[1], deadline = noDeadline) =>
    createFork(session, request, deadline),
  abort: (session: Session, deadline = noDeadline) => abortFork(session, deadline),
  label: (session: Session, label: string | null, deadline = noDeadline) => labelFork(session, label, deadline),
  promote: promoteFork,
  pick: cherryPick,
  update: rebaseFork,
  derive,
  undoPromotion: revertPromotion,
  previewRebase,
  countRebase,
};

export type TestSession = { readonly [Name in keyof typeof FUNCTIONS]: Method<(typeof FUNCTIONS)[Name]> } & {
  readonly scopeId: string;
  readonly forkId: string;
};

type Method<F> = F extends (session: Session, ...given: infer Given) => infer Result
  ? (...given: Given) => Result extends Promise<unknown> ? Result : Promise<Result>
  : never;

/** An entered session. Like a request, its work runs again if a reload has replaced the module since. The past is only read. */
export function methodsOf({ enter }: Pick<Runtime, 'enter'>, frame: RequestFrame, entered: Session): TestSession {
  const methods = Object.entries(FUNCTIONS).map(([name, run]) => [
    name,
    (...given: unknown[]) => {
      let first: Session | undefined = entered;
      const enterFirst = () => {
        const session = first ?? enter(frame);
        first = undefined;
        return session;
      };
      const runAgain = frame.asOf === undefined ? runWrite : runRead;
      return runAgain({ enter: enterFirst }, frame, (session) =>
        (run as (session: Session, ...given: unknown[]) => unknown)(session, ...given),
      );
    },
  ]);
  const { scope, fork } = entered;
  return { ...Object.fromEntries(methods), scopeId: scope.scopeId, forkId: fork.id } as TestSession;
}
