/** Splits the time of a request into phases, from a few readings of the clock: arrival, evaluation, storage and response. */

import { PHASES } from '../../api/schemas/request-log.js';
import type { WritePhase } from '../../world/contract/requests.js';

/** Clock readings of one request. Undefined for a phase that it did not reach. */
export interface PhaseMarks {
  readonly startedAtMs: number;
  readonly handledAtMs: number | undefined;
  readonly encodingAtMs: number | undefined;
  readonly answeredAtMs: number | undefined;
  readonly write: WriteTimes | undefined;
}

type Spent = { [phase in WritePhase]: number };

/** The total time of a write in each of its phases. */
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

/** Milliseconds of each of `PHASES`, which add up to the whole time; -1 for a phase that the request did not have. */
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

/** Ends the current phase at `endedAtMs`, in case the client disconnected during the write. */
function spentBy(write: WriteTimes | undefined, endedAtMs: number): Spent | undefined {
  write?.enter('evaluating', endedAtMs);
  return write?.spent;
}

/** The phases as the request log lists them. */
export function phaseList(times: ArrayLike<number>): { phase: (typeof PHASES)[number]; ms: number }[] {
  return PHASES.flatMap((phase, at) => {
    const ms = times[at] ?? -1;
    return ms < 0 ? [] : [{ phase, ms: Math.round(ms * 1_000) / 1_000 }];
  });
}
