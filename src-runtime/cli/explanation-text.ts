/** Explanations as indented lines, for a terminal. */

import type { Explanation, ProofPremise, Suggestions, WhyNot } from '../api/explanation-schemas.js';

/** A proof, or where every clause stops and what would make it hold, a step a line. */
export function explanationLines(explanation: Explanation): string[] {
  if (explanation.holds) return proofLines(explanation.proof, '');
  return [...whyNotLines(explanation.whyNot, ''), ...suggestionLines(explanation.suggestions)];
}

/** The first of them, which is the smallest. */
function suggestionLines({ sets }: Suggestions = { sets: [], complete: false }): string[] {
  const [first] = sets;
  if (first === undefined) return [];
  const changes = first.changes.map(({ op, relation, tuple }) => `${op} ${fact(relation, tuple)}`);
  const checks = new Set(first.firings.map(({ check }) => check));
  const refused = checks.size === 0 ? '' : `, which ${[...checks].join(', ')} would refuse`;
  return [`it would hold after: ${changes.join('; ')}${refused}`];
}

function proofLines(premise: ProofPremise, indent: string): string[] {
  if ('ref' in premise) return [`${indent}(as shown above)`];
  const { kind, relation, tuple, text, value, rule, premises } = premise;
  const what = relation === undefined ? (text ?? '') : fact(relation, tuple ?? []);
  const result = value === undefined ? '' : ` = ${JSON.stringify(value)}`;
  const place = rule === undefined ? '' : `, ${rule.span.file}:${rule.span.start.line}`;
  return [
    `${indent}${what}${result} (${kind}${place})`,
    ...premises.flatMap((inner) => proofLines(inner, `${indent}  `)),
  ];
}

function whyNotLines({ message, clauses }: WhyNot, indent: string): string[] {
  return [
    `${indent}${message}`,
    ...clauses.flatMap(({ span, satisfied, fails }) => [
      `${indent}  clause at ${span.file}:${span.start.line}`,
      ...satisfied.flatMap((premise) => proofLines(premise, `${indent}    `)),
      ...(fails === null
        ? []
        : [`${indent}    stops at: ${fails.text}${fails.reason === undefined ? '' : ` (${fails.reason})`}`]),
      ...(fails?.blockedBy === undefined ? [] : proofLines(fails.blockedBy, `${indent}      `)),
      ...(fails?.whyNot === undefined ? [] : whyNotLines(fails.whyNot, `${indent}      `)),
    ]),
  ];
}

function fact(relation: string, tuple: readonly unknown[]): string {
  return `${relation}(${tuple.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')})`;
}
