/** An explanation as text: an indented outline for a ticket or a mail, and the answer as JSON for a program. */

import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { kindWord, type Step, stepsTogether } from '../../../domain/proof/proof-outline.js';
import type { NamedFact } from '../../../model/facts/together.js';
import { rawFact } from '../../../model/sentences/sentence.js';
import { marksOf } from './proof-choice.js';
import { type Naming, stepText } from './step-text.js';

/** Further in, a line would be more space than text: what is deeper is told by a number. */
const INDENTED_LEVELS = 24;

/** Of the proof that `explanation` has first. */
export function explanationText(explanation: Explanation, naming: Naming): string {
  return explanationsText([explanation], naming);
}

/** Of several together: what is said of each, then one outline in which what they share stands once. */
export function explanationsText(explanations: readonly Explanation[], naming: Naming): string {
  const roots = stepsTogether(explanations);
  const lines: string[] = [];
  for (const [at, explanation] of explanations.entries()) {
    const root = roots[at];
    if (root?.relation !== undefined) lines.push(rawFact(root.relation, root.tuple ?? []));
    const marks = marksOf(explanation, 0).map(({ text }) => text);
    lines.push(marks.join(' · '), '');
  }
  const stack = roots.map((step) => ({ step, level: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { step, level } = next;
    const depth = level <= INDENTED_LEVELS ? '' : `(level ${level}) `;
    lines.push(
      `${'  '.repeat(Math.min(level, INDENTED_LEVELS))}- ${depth}${stepText(step, naming)} [${remarkOf(step)}]`,
    );
    for (const child of [...step.children].reverse()) stack.push({ step: child, level: level + 1 });
  }
  return `${lines.join('\n')}\n`;
}

/** As it was answered, indented where that is of use: of a proof that is hundreds of facts high, most would be indentation. */
export function explanationJson(answer: Explanation): string {
  return jsonText(answer, [answer]);
}

/** Of several, each with the fact that was asked about. */
export function explanationsJson(facts: readonly NamedFact[], answers: readonly Explanation[]): string {
  return jsonText(
    facts.map(({ relation, tuple }, at) => ({ relation, tuple, ...answers[at] })),
    answers,
  );
}

function jsonText(value: unknown, answers: readonly Explanation[]): string {
  const isDeep = answers.some((answer) => answer.holds && answer.height > INDENTED_LEVELS);
  return `${JSON.stringify(value, null, isDeep ? 0 : 2)}\n`;
}

/** What kind of step it is and where it comes from. */
function remarkOf(step: Step): string {
  const { kind, rule, span, event, cut } = step;
  const parts: string[] = [kindWord(step)];
  if (span !== undefined) {
    const clause = rule === undefined || kind === 'clause' ? '' : `clause ${rule.clause + 1}, `;
    parts.push(`${clause}${span.file}:${span.start.line}`);
  }
  if (event !== undefined) parts.push(`change ${event.seq}`);
  if (cut) parts.push('truncated');
  return parts.join(', ');
}
