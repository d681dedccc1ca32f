/** An explanation as an indented outline in plain text, for a ticket or a mail. */

import type { Explanation } from '../../src-runtime/api/explanation-schemas.js';
import { explanationSteps, KIND_WORD, type Step } from '../components/proof-outline.js';
import { rawFact } from '../data/sentence.js';
import { marksOf } from './proof-choice.js';
import { type Naming, stepText } from './step-text.js';

/** Of the proof that `explanation` has first. */
export function explanationText(explanation: Explanation, naming: Naming): string {
  const roots = explanationSteps(explanation);
  const lines: string[] = [];
  const [root] = roots;
  if (root?.relation !== undefined) lines.push(rawFact(root.relation, root.tuple ?? []));
  const marks = marksOf(explanation, 0).map(({ text }) => text);
  lines.push(marks.join(' · '), '');
  const stack = roots.map((step) => ({ step, level: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { step, level } = next;
    lines.push(`${'  '.repeat(level)}- ${stepText(step, naming)} [${remarkOf(step)}]`);
    for (const child of [...step.children].reverse()) stack.push({ step: child, level: level + 1 });
  }
  return `${lines.join('\n')}\n`;
}

/** What kind of step it is and where it comes from. */
function remarkOf({ kind, rule, span, event, cut }: Step): string {
  const parts: string[] = [KIND_WORD[kind]];
  if (span !== undefined) {
    const clause = rule === undefined || kind === 'clause' ? '' : `clause ${rule.clause + 1}, `;
    parts.push(`${clause}${span.file}:${span.start.line}`);
  }
  if (event !== undefined) parts.push(`event ${event.seq}`);
  if (cut) parts.push('cut here');
  return parts.join(', ');
}
