/** Which of the proofs of a fact is shown, and what can honestly be said of it: the part that needs no page. */

import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';

export type Holds = Extract<Explanation, { holds: true }>;

/** As many as the server gives at once. */
export const PROOFS_MAX = 100;
const FIRST_LOOK = 10;

/** How many proofs to ask for next; undefined where no more can be had. */
export function nextLook(asked: number, { others }: Holds): number | undefined {
  if (others === 'none' || asked >= PROOFS_MAX) return undefined;
  return asked < FIRST_LOOK ? FIRST_LOOK : PROOFS_MAX;
}

export function proofCount(explanation: Explanation): number {
  return explanation.holds ? (explanation.proofs?.length ?? 1) : 0;
}

/** The explanation with the proof of that place, from 0, instead of the first; the last one where there are fewer. */
export function withProof(explanation: Explanation, place: number): Explanation {
  if (!explanation.holds) return explanation;
  const { proofs } = explanation;
  const wanted = proofs?.[Math.min(place, proofs.length - 1)];
  return wanted === undefined ? explanation : { ...explanation, ...wanted };
}

/** A small labelled mark. */
export interface Mark {
  readonly text: string;
  /** What it means, in a sentence. */
  readonly tip: string;
  readonly tone: 'good' | 'absent' | 'warning' | 'plain';
}

/** Of what is shown: the proof at `place`, or why there is none. */
export function marksOf(explanation: Explanation, place: number, state: State = 'now'): Mark[] {
  const verdict = VERDICTS[explanation.holds ? 'holds' : 'fails'][state];
  if (!explanation.holds) return [verdict, completeness(explanation.cut, 'explanation')];
  const shown = withProof(explanation, place);
  if (!shown.holds || shown.height === 0) return [verdict];
  return [verdict, completeness(shown.cut, 'proof'), heightMark(shown, place), countMark(explanation, place)];
}

/** Which state is asked about. */
type State = 'now' | 'past' | 'tried';

const VERDICTS: Readonly<Record<'holds' | 'fails', Readonly<Record<State, Mark>>>> = {
  holds: {
    now: { text: 'holds', tip: 'The fact is stored, declared or follows.', tone: 'good' },
    past: { text: 'held', tip: 'The fact was stored, declared or followed.', tone: 'good' },
    tried: { text: 'would hold', tip: 'The fact would be stored, is declared or would follow.', tone: 'good' },
  },
  fails: {
    now: { text: 'does not hold', tip: 'It is neither stored nor does it follow.', tone: 'absent' },
    past: { text: 'did not hold', tip: 'It was neither stored nor did it follow.', tone: 'absent' },
    tried: { text: 'would not hold', tip: 'It would neither be stored nor follow.', tone: 'absent' },
  },
};

function completeness(cut: boolean, what: 'proof' | 'explanation'): Mark {
  return cut
    ? { text: 'cut at the limit', tip: `The ${what} reached the server’s limit and is not whole.`, tone: 'warning' }
    : { text: 'complete', tip: `Nothing of the ${what} is left out.`, tone: 'plain' };
}

function heightMark({ height, minimal, cut }: Holds, place: number): Mark {
  const steps = `${height} derived ${height === 1 ? 'fact' : 'facts'} on the longest way down`;
  if (cut) return { text: `height ${height} at most`, tip: `At most ${steps}.`, tone: 'plain' };
  if (place > 0) return { text: `height ${height}`, tip: `${steps}.`, tone: 'plain' };
  return minimal
    ? { text: `height ${height}, lowest`, tip: `${steps}; no proof is lower.`, tone: 'plain' }
    : {
        text: `height ${height}, perhaps not the lowest`,
        tip: `${steps}; whether a lower proof exists is not known.`,
        tone: 'warning',
      };
}

function countMark(explanation: Holds, place: number): Mark {
  const count = proofCount(explanation);
  const one = count === 1 ? '' : `${Math.min(place, count - 1) + 1} of `;
  switch (explanation.others) {
    case 'none':
      return count === 1
        ? { text: 'the only proof', tip: 'The fact follows in no other way.', tone: 'plain' }
        : { text: `${one}${count}`, tip: `These ${count} are all proofs that there are.`, tone: 'plain' };
    case 'some':
      return {
        text: count === 1 ? 'one of several' : `${one}more than ${count}`,
        tip: 'There are other proofs than those that were asked for.',
        tone: 'plain',
      };
    case 'unknown':
      return {
        text: count === 1 ? 'there may be others' : `${one}${count}, there may be others`,
        tip: 'Whether there are other proofs was not found out within the limits of the search.',
        tone: 'warning',
      };
  }
}
