/** Which proof of a fact is shown, and its marks. */

import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';

export type TrueExplanation = Extract<Explanation, { holds: true }>;

/** Limit of the server. */
export const PROOFS_MAX = 100;
const FIRST_PROOFS = 10;

/** How many proofs to request next. Undefined if there are no more. */
export function nextProofCount(requested: number, { others }: TrueExplanation): number | undefined {
  if (others === 'none' || requested >= PROOFS_MAX) return undefined;
  return requested < FIRST_PROOFS ? FIRST_PROOFS : PROOFS_MAX;
}

export function proofCount(explanation: Explanation): number {
  return explanation.holds ? (explanation.proofs?.length ?? 1) : 0;
}

/** The explanation with the proof at `place`, from 0, as the first. Falls back to the last. */
export function withProof(explanation: Explanation, place: number): Explanation {
  if (!explanation.holds) return explanation;
  const { proofs } = explanation;
  const selected = proofs?.[Math.min(place, proofs.length - 1)];
  return selected === undefined ? explanation : { ...explanation, ...selected };
}

export interface Mark {
  readonly text: string;
  /** The tooltip. */
  readonly tip: string;
  readonly tone: 'good' | 'absent' | 'warning' | 'plain';
}

/** The marks of the proof at `place`, or of the why-not. */
export function marksOf(explanation: Explanation, place: number, state: State = 'now'): Mark[] {
  const verdict = VERDICTS[explanation.holds ? 'holds' : 'fails'][state];
  if (!explanation.holds) return [verdict, completeness(explanation.cut, 'explanation')];
  const shown = withProof(explanation, place);
  if (!shown.holds || shown.height === 0) return [verdict];
  return [verdict, completeness(shown.cut, 'proof'), heightMark(shown, place), countMark(explanation, place)];
}

/** The state that is explained. */
type State = 'now' | 'past' | 'tried';

const VERDICTS: Readonly<Record<'holds' | 'fails', Readonly<Record<State, Mark>>>> = {
  holds: {
    now: { text: 'True', tip: 'The fact is stored, declared or derived.', tone: 'good' },
    past: { text: 'Was true', tip: 'The fact was stored, declared or derived.', tone: 'good' },
    tried: { text: 'Would be true', tip: 'The fact would be stored, declared or derived.', tone: 'good' },
  },
  fails: {
    now: { text: 'False', tip: 'The fact is neither stored nor derived.', tone: 'absent' },
    past: { text: 'Was false', tip: 'The fact was neither stored nor derived.', tone: 'absent' },
    tried: { text: 'Would be false', tip: 'The fact would be neither stored nor derived.', tone: 'absent' },
  },
};

function completeness(cut: boolean, what: 'proof' | 'explanation'): Mark {
  return cut
    ? { text: 'Truncated', tip: `The ${what} reached the size limit of the server.`, tone: 'warning' }
    : { text: `Full ${what}`, tip: `The ${what} is complete.`, tone: 'plain' };
}

function heightMark({ height, minimal, cut }: TrueExplanation, place: number): Mark {
  const deep = `${height} ${height === 1 ? 'step' : 'steps'} deep`;
  const tip = `The longest path has ${height} derived ${height === 1 ? 'fact' : 'facts'}.`;
  if (cut) return { text: `At most ${deep}`, tip, tone: 'plain' };
  if (place > 0) return { text: deep, tip, tone: 'plain' };
  return minimal
    ? { text: `${deep} (shortest)`, tip: `${tip} No proof is shorter.`, tone: 'plain' }
    : { text: `${deep} (maybe not shortest)`, tip: `${tip} A shorter proof may exist.`, tone: 'warning' };
}

function countMark(explanation: TrueExplanation, place: number): Mark {
  const count = proofCount(explanation);
  const one = count === 1 ? '' : `${Math.min(place, count - 1) + 1} of `;
  switch (explanation.others) {
    case 'none':
      return count === 1
        ? { text: 'Only proof', tip: 'The fact has no other proof.', tone: 'plain' }
        : { text: `${one}${count} proofs`, tip: `The fact has ${count} proofs.`, tone: 'plain' };
    case 'some':
      return {
        text: count === 1 ? '1 of several proofs' : `${one}more than ${count} proofs`,
        tip: 'The fact has more proofs.',
        tone: 'plain',
      };
    case 'unknown':
      return {
        text: count === 1 ? 'Maybe more proofs' : `${one}${count} proofs, maybe more`,
        tip: 'The search for other proofs reached its limit.',
        tone: 'warning',
      };
  }
}
