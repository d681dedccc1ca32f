/**
 * The facts of a request under a program that is not loaded. If the program declares stored facts as the loaded one does,
 * rows and unaffected conclusions are shared. Otherwise the history is replayed, and the replay is kept for the next
 * text with the same declarations.
 */

import type { Deadline } from '../../base/ports.js';
import { EvaluationFault, Interner, type Program, type View } from '../../engine/index.js';
import { affectedRules } from '../module/affected-rules.js';
import { replayAlone } from '../state/open-scope.js';
import type { Branch, Scope } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { keepsShape, storedShape } from '../state/stored-shape.js';

export interface CandidateState {
  readonly view: View;
  /** Whether codes mean the same as in the loaded module's view. */
  readonly sharesCodes: boolean;
  /** What the facts belong to: the scope of the request, or its replay under the program. */
  readonly scope: Scope;
  readonly branch: Branch;
}

/**
 * Calls `work` with the state. `view` is of the loaded module and on `branch`, and is held meanwhile. `paths` are the
 * relations that `work` reads of the program: what they share with the loaded module is derived there first, where
 * it is kept.
 */
export async function underCandidate<T>(
  session: Session,
  branch: Branch,
  view: View,
  program: Program,
  paths: readonly string[],
  work: (state: CandidateState) => Promise<T>,
  deadline: Deadline,
): Promise<T> {
  const { scope } = session;
  const isShared = !scope.hides && keepsShape(shapeOf(scope.program), shapeOf(program));
  const base = isShared
    ? { branch, program: scope.program, interner: scope.interner, declared: scope.declared }
    : await replayed(session, program, deadline);
  if (isShared) REPLAYS.delete(scope);
  const baseView = isShared ? view : base.branch.facts.view();
  const affected = affectedRules(base.program, program);
  await deriveShared(baseView, program, paths, affected, deadline);
  // A value that the loaded module has derived must have its lasting code before a guest meets it.
  const interner = base.interner.under(program).passing();
  const guest = base.branch.facts.under({ program, interner, affected, at: baseView });
  const own = guest.view();
  try {
    const { branch: of, declared } = base;
    return await work({
      view: own,
      sharesCodes: isShared,
      scope: { ...scope, program, interner, declared },
      branch: of,
    });
  } finally {
    own.release();
    if (!isShared) baseView.release();
  }
}

/** Derives in the base what the program's relations share with it. A fault there is met again, and told, in the program. */
async function deriveShared(
  view: View,
  program: Program,
  paths: readonly string[],
  affected: (rule: string) => boolean,
  deadline: Deadline,
): Promise<void> {
  const read = new Set(paths.flatMap((path) => (program.rules.has(path) ? [path, ...readsOf(program, path)] : [])));
  for (const path of read) {
    if (affected(path) || !view.program.rules.has(path)) continue;
    try {
      await view.materialise(path, deadline);
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
    }
  }
}

function readsOf(program: Program, path: string): Iterable<string> {
  try {
    return program.readsOf(path);
  } catch (error) {
    if (error instanceof EvaluationFault) return [];
    throw error;
  }
}

interface Replay {
  readonly program: Program;
  readonly interner: Interner;
  readonly branch: Branch;
  readonly declared: ReadonlySet<string>;
  readonly fork: string;
}

/** The last one of each scope. It holds the facts of the scope once more, until a text with the loaded declarations comes. */
const REPLAYS = new WeakMap<Scope, Replay>();

async function replayed({ scope, fork, store }: Session, program: Program, deadline: Deadline): Promise<Replay> {
  const key = `${fork.txn}/${Math.min(fork.until, (fork.present ?? fork).lastTransaction)}`;
  const known = REPLAYS.get(scope);
  if (known?.fork === key && keepsShape(shapeOf(known.program), shapeOf(program))) return known;
  const interner = new Interner(program);
  const declared = new Set<string>();
  const branch = await replayAlone({ ...scope, program, interner, noted: declared }, store, fork, deadline);
  const made = { program, interner, branch, declared, fork: key };
  REPLAYS.set(scope, made);
  return made;
}

const SHAPES = new WeakMap<Program, ReturnType<typeof storedShape>>();

function shapeOf(program: Program): ReturnType<typeof storedShape> {
  const known = SHAPES.get(program) ?? storedShape(program);
  SHAPES.set(program, known);
  return known;
}
