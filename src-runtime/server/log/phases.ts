/** Where the time of a request went, from a few looks at the clock: where it comes, is worked on, is written down and leaves. */

import { PHASES } from '../../api/schemas/request-log.js';
import type { WritePhase } from '../../world/contract/requests.js';

/** What is looked at on the way of a request; undefined where it never came so far. */
export interface PhaseMarks {
  readonly startedAtMs: number;
  readonly handledAtMs: number | undefined;
  readonly encodingAtMs: number | undefined;
  readonly answeredAtMs: number | undefined;
  readonly write: WriteTimes | undefined;
}

type Spent = { [phase in WritePhase]: number };

/** How long a write was in each part of it, all its turns there together. */
export class WriteTimes {
  readonly spent: Spent = { waiting: 0, evaluating: 0, guarding: 0, storing: 0 };
  #phase: WritePhase = 'evaluating';
  #sinceMs = 0;

  enter(phase: WritePhase, nowMs: number): void {
    this.spent[this.#phase] += this.#sinceMs === 0 ? 0 : nowMs - this.#sinceMs;
    this.#phase = phase;
    this.#sinceMs = nowMs;
  }
}

/** Milliseconds of each of `PHASES`, which are the whole time together; -1 where the request has none of it. */
export function phasesOf(marks: PhaseMarks, endedAtMs: number): readonly number[] {
  const { startedAtMs, handledAtMs, encodingAtMs, answeredAtMs = endedAtMs, write } = marks;
  const workedMs = encodingAtMs ?? answeredAtMs;
  const { waiting = -1, guarding = -1, storing = -1 } = spentBy(write, endedAtMs) ?? {};
  const elsewhere = write === undefined ? 0 : waiting + guarding + storing;
  return [
    (handledAtMs ?? answeredAtMs) - startedAtMs,
    waiting,
    handledAtMs === undefined ? -1 : Math.max(0, workedMs - handledAtMs - elsewhere),
    guarding,
    storing,
    encodingAtMs === undefined ? -1 : answeredAtMs - encodingAtMs,
    marks.answeredAtMs === undefined ? -1 : endedAtMs - answeredAtMs,
  ];
}

/** Where the client was gone in the middle, until then. */
function spentBy(write: WriteTimes | undefined, endedAtMs: number): Spent | undefined {
  write?.enter('evaluating', endedAtMs);
  return write?.spent;
}

/** As the log tells them. */
export function phaseList(times: ArrayLike<number>): { phase: (typeof PHASES)[number]; ms: number }[] {
  return PHASES.flatMap((phase, at) => {
    const ms = times[at] ?? -1;
    return ms < 0 ? [] : [{ phase, ms: Math.round(ms * 1_000) / 1_000 }];
  });
}
