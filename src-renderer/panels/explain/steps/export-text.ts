/** An explanation as plain text, and as JSON. */

import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { clauseName, kindWord, type Step, stepsTogether } from '../../../domain/proof/proof-outline.js';
import type { NamedFact } from '../../../model/facts/together.js';
import { rawFact } from '../../../model/sentences/sentence.js';
import { marksOf } from './proof-choice.js';
import { type Naming, stepText } from './step-text.js';

/** Deeper lines show their level as a number instead of indentation. */
const INDENTED_LEVELS = 24;

export function explanationText(explanation: Explanation, naming: Naming): string {
  return explanationsText([explanation], naming);
}

/** The marks of each explanation, then one outline with shared steps once. */
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
      `${'  '.repeat(Math.min(level, INDENTED_LEVELS))}- ${depth}${stepText(step, naming)} [${detailsOf(step)}]`,
    );
    for (const child of [...step.children].reverse()) stack.push({ step: child, level: level + 1 });
  }
  return `${lines.join('\n')}\n`;
}

/** The response as received, indented unless it is so deep that indentation would dominate. */
export function explanationJson(explanation: Explanation): string {
  return jsonText(explanation, [explanation]);
}

/** Each with its fact. */
export function explanationsJson(facts: readonly NamedFact[], explanations: readonly Explanation[]): string {
  return jsonText(
    facts.map(({ relation, tuple }, at) => ({ relation, tuple, ...explanations[at] })),
    explanations,
  );
}

function jsonText(value: unknown, explanations: readonly Explanation[]): string {
  const isDeep = explanations.some((explanation) => explanation.holds && explanation.height > INDENTED_LEVELS);
  return `${JSON.stringify(value, null, isDeep ? 0 : 2)}\n`;
}

/** The kind of a step and its position. */
function detailsOf(step: Step): string {
  const { kind, rule, span, event, cut } = step;
  const parts: string[] = [kindWord(step)];
  if (span !== undefined) {
    const clause = rule === undefined || kind === 'clause' ? '' : `${clauseName(rule)}, `;
    parts.push(`${clause}${span.file}:${span.start.line}`);
  }
  if (event !== undefined) parts.push(`change ${event.seq}`);
  if (cut) parts.push('truncated');
  return parts.join(', ');
}
