/** An explanation as the tree that the outline shows: proofs, and where a tuple does not hold, the reasons why not. */

import { nodesOf, proofsIn } from '../../../src-runtime/api/proof-nodes.js';
import type {
  Aggregation,
  Explanation,
  FailingPremise,
  PremiseBehind,
  ProofNode,
  ProofPremise,
  WhyNot,
} from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';
import type { Sense } from '../../model/sentences/sentence.js';
import { type AggregatedSteps, aggregatedSteps, type StepMaker } from './contribution-steps.js';

export type StepKind =
  | ProofNode['kind']
  /** What an aggregate takes for one of the bindings that it goes over. */
  | 'contribution'
  /** The fact is expanded elsewhere in the same tree. */
  | 'ref'
  /** A tuple that does not hold. */
  | 'whyNot'
  /** A clause that could have derived it. */
  | 'clause'
  /** The premise at which the clause stops: a fact that there is not. */
  | 'missing'
  /** The same of a comparison that is not true, or of a fact that must not hold and does. */
  | 'fails'
  /** A premise behind that one which is missing too, or fails too. */
  | 'missingToo'
  | 'failsToo'
  /** One behind it that waits for what the premises before it would bind. */
  | 'open';

/** What a kind is called beside its shape. */
export const KIND_WORD: Record<StepKind, string> = {
  declared: 'declared',
  stored: 'stored',
  derived: 'derived',
  absent: 'absent',
  test: 'test',
  aggregate: 'aggregate',
  contribution: 'contribution',
  ref: 'see above',
  whyNot: 'does not hold',
  clause: 'clause',
  missing: 'missing',
  fails: 'fails',
  missingToo: 'also missing',
  failsToo: 'also fails',
  open: 'open',
};

/**
 * The same of a step with what tells it from others: how much an aggregate takes together, `aggregate of 500`, which contribution
 * decides it, how far a clause gets, and that a question is answered elsewhere.
 */
export function kindWord({ kind, contributions, share, value, reach, target }: Step): string {
  const word = KIND_WORD[kind];
  if (share !== undefined && value === null) return 'skipped';
  if (share?.decides && kind !== 'contribution') return `${word}, decides`;
  if (reach !== undefined)
    return `${reach.isNearest ? `nearest ${word}` : word}: ${reach.held} of ${reach.premises} conditions met`;
  if (UNMET.has(kind) && target !== undefined) return `${word}, ${KIND_WORD.ref}`;
  return contributions === undefined ? word : `${word} of ${contributions.toLocaleString('en')}`;
}

/** Premises that a why-not is about: what is written of them in the source says more than their sentence. */
export const UNMET: ReadonlySet<StepKind> = new Set(['missing', 'fails', 'missingToo', 'failsToo', 'open']);

/** How the fact of a step is meant; a step of any other kind says that it holds. */
export const SENSE: Partial<Record<StepKind, Sense>> = {
  absent: 'absent',
  missing: 'missing',
  fails: 'forbidden',
  missingToo: 'missing',
  failsToo: 'forbidden',
};

export interface Step {
  /** Counts in reading order, so that it is the same for the same explanation. */
  readonly id: string;
  readonly kind: StepKind;
  readonly relation: string | undefined;
  readonly tuple: readonly (JsonValue | null)[] | undefined;
  /** What the source or the server says, where it is more than a fact. */
  readonly text: string | undefined;
  /** What a failing comparison found: `l.rent is 800, needed >= 900`. */
  readonly reason: string | undefined;
  readonly value: JsonValue | undefined;
  /** What a comparison read, null where that is absent. */
  readonly values: NonNullable<ProofNode['values']>;
  /** Of an aggregate, how many bindings it takes together. */
  readonly contributions: number | undefined;
  /** Of an aggregate, what it takes; its contributions are the children. */
  readonly aggregation: Aggregation | undefined;
  /** Of a contribution, what it is one to. */
  readonly share: { readonly function: Aggregation['function']; readonly decides: boolean } | undefined;
  readonly factId: string | undefined;
  /** Of a premise that is missing, the question that says why, where it is answered elsewhere. */
  readonly question: string | undefined;
  /** On a `ref`, the step that expands the fact; on a premise that is missing, the one that says why where that is elsewhere. */
  readonly target: string | undefined;
  /** Of a clause of a why-not: how many of its premises hold, and whether no other one lacks as few. */
  readonly reach: { readonly held: number; readonly premises: number; readonly isNearest: boolean } | undefined;
  /** Where in the source this step comes from. */
  readonly span: Span | undefined;
  readonly rule: { readonly path: string; readonly clause: number } | undefined;
  readonly bindings: Readonly<Record<string, JsonValue>>;
  readonly event: WireEvent | undefined;
  /** Of a clause of the tuple that is asked about, the variables that values can be given to. */
  readonly variables: NonNullable<WhyNot['clauses'][number]['variables']>;
  /** Premises were left out because the proof reached its limit. */
  readonly cut: boolean;
  readonly cutBy: ProofNode['cutBy'];
  readonly children: readonly Step[];
}

/** Lists and records have no value on the wire of a proof. */
export function hasFound(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

/** What a contribution does, said behind what it is of: `adds 30`. */
export function givenBy({ share, value }: Step): { readonly words: string; readonly value: JsonValue | undefined } {
  if (share?.function === 'count') return { words: 'counts', value: undefined };
  if (!hasFound(value)) return { words: 'has no value', value: undefined };
  if (share?.decides) return { words: 'decides with', value };
  return { words: share?.function === 'sum' ? 'adds' : 'gives', value };
}

/** Of a `let` whose value is known, or an aggregate that is part of an expression, its name and what it stands for, so that the value can be said before a long expression. */
export function letOf(step: Step): { readonly name: string; readonly expression: string } | undefined {
  const { text, value, aggregation } = step;
  if (!hasFound(value)) return undefined;
  const [, name = aggregation?.function, expression = aggregation?.text] = LET.exec(text ?? '') ?? [];
  return name === undefined || expression === undefined ? undefined : { name, expression };
}

const LET = /^let (\w+) = (.*)$/s;

export interface UnmetLet {
  readonly name: string;
  /** What it comes to. */
  readonly value: string;
  /** What the tuple that is asked about says instead. */
  readonly needed: string;
  readonly expression: string;
}

/** Of a `let` that comes to something else than is asked about: the values can be said before a long expression. */
export function unmetLetOf({ text, reason }: Step): UnmetLet | undefined {
  const name = LET.exec(text ?? '')?.[1];
  if (name === undefined || reason === undefined) return undefined;
  const said = new RegExp(`^(.*) is (.*), needed == ${name}, which is (.*)$`, 's').exec(reason);
  const [, expression, value, needed] = said ?? [];
  if (expression === undefined || value === undefined || needed === undefined) return undefined;
  return { name, value, needed, expression };
}

export function explanationSteps(explanation: Explanation): Step[] {
  return stepsTogether([explanation]);
}

/**
 * Several explanations as one: a root for each, and each fact expanded once, where the first of them has it. So a root may be a
 * `ref` too, where another one rests on it.
 */
export function stepsTogether(explanations: readonly Explanation[]): Step[] {
  const builder = createBuilder();
  return explanations.map(builder.root).map(builder.resolved);
}

/** Every step, parents before their children. */
export function allSteps(roots: readonly Step[]): Step[] {
  const steps: Step[] = [];
  const stack = [...roots].reverse();
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    steps.push(step);
    for (let index = step.children.length - 1; index >= 0; index--) {
      const child = step.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  return steps;
}

/** A fact is asked for and not there; what must not hold is blocked by a fact, and a comparison names none. */
function isMissing({ relation, blockedBy, reason, text }: FailingPremise): boolean {
  return relation !== undefined && blockedBy === undefined && reason === undefined && !text.startsWith('not ');
}

function kindBehind(source: PremiseBehind): StepKind {
  if (source.state === 'open') return 'open';
  return isMissing(source) ? 'missingToo' : 'failsToo';
}

type Draft = Omit<Step, 'children' | 'target'>;

const NOTHING = {
  relation: undefined,
  tuple: undefined,
  text: undefined,
  reason: undefined,
  value: undefined,
  values: [],
  contributions: undefined,
  aggregation: undefined,
  share: undefined,
  reach: undefined,
  question: undefined,
  factId: undefined,
  span: undefined,
  rule: undefined,
  bindings: {},
  event: undefined,
  variables: [],
  cut: false,
  cutBy: undefined,
} satisfies Omit<Draft, 'id' | 'kind'>;

function unmet({ relation, tuple, text, reason, values = [], cut = false, span, ref }: FailingPremise) {
  return { ...NOTHING, relation, tuple, text, reason, values, cut, span, question: ref };
}

/** How many premises a clause lacks, those that wait for others among them. */
function lackedBy({ fails, behind = [] }: WhyNot['clauses'][number]): number {
  return (fails === null ? 0 : 1) + behind.length;
}

/** The clause that lacks fewer premises than any other; undefined where there is but one, or several lack as few. */
function nearestOf(clauses: WhyNot['clauses']): WhyNot['clauses'][number] | undefined {
  const [first, second] = [...clauses].sort((left, right) => lackedBy(left) - lackedBy(right));
  return first !== undefined && second !== undefined && lackedBy(first) < lackedBy(second) ? first : undefined;
}

function elsewhere(id: string, factId: string): Step {
  return { ...NOTHING, id, kind: 'ref', factId, target: undefined, children: [] };
}

function proofStep(source: ProofNode, id: string, { children, aggregation }: AggregatedSteps): Step {
  const {
    kind,
    relation,
    tuple,
    text,
    value,
    values = [],
    contributions,
    factId,
    rule,
    bindings = {},
    event,
    cut,
    cutBy,
  } = source;
  return {
    ...NOTHING,
    ...{ id, kind, relation, tuple, text, value, values, factId, bindings, event, children, aggregation },
    contributions: source.aggregates === undefined ? contributions : aggregation?.taken,
    target: undefined,
    span: rule?.span,
    rule: rule === undefined ? undefined : { path: rule.path, clause: rule.clause },
    cut: cut === true,
    cutBy,
  };
}

/** Notes every fact of a proof by its id. */
function noteFacts(proof: ProofPremise, known: Map<string, ProofNode>): void {
  for (const node of nodesOf(proof)) if (node.factId !== undefined) known.set(node.factId, node);
}

function createBuilder() {
  let count = 0;
  const expanded = new Map<string, Step>();
  /** What explanations before have expanded. */
  let earlier: ReadonlySet<string> = new Set();
  /** By fact, what was left out with a fact that is expanded elsewhere: something else may lead to it. */
  const leftOut = new Map<string, ProofNode>();
  /** By question, the step that answers it. */
  const answered = new Map<string, string>();
  /** Every fact of the explanation that is built. */
  const facts = new Map<string, ProofNode>();
  const factOf = (source: ProofPremise): ProofNode | undefined => ('ref' in source ? facts.get(source.ref) : source);
  /** By fact, premises that stand where a contribution refers to them. */
  const waiting = new Map<string, ProofNode>();
  const nextId = (): string => `s${++count}`;

  const step = (of: Parameters<StepMaker['step']>[0], children: () => readonly Step[], question?: string): Step => {
    const id = nextId();
    if (question !== undefined) answered.set(question, id);
    return { ...NOTHING, target: undefined, ...of, id, children: children() };
  };

  const below = (source: ProofNode): AggregatedSteps =>
    source.aggregates === undefined
      ? { children: source.premises.map(premise), aggregation: undefined }
      : aggregatedSteps(source, { premise, step, factOf, waiting });

  const premise = (source: ProofPremise): Step => {
    const id = nextId();
    if ('ref' in source) {
      const own = waiting.get(source.ref);
      if (own === undefined) return elsewhere(id, source.ref);
      waiting.delete(source.ref);
      return premise(own);
    }
    const { factId } = source;
    if (factId !== undefined && earlier.has(factId)) {
      noteFacts(source, leftOut);
      return elsewhere(id, factId);
    }
    const step = proofStep(source, id, below(source));
    if (factId !== undefined) expanded.set(factId, step);
    return step;
  };

  const whyNot = ({ id, relation, tuple, message: text, clauses }: WhyNot): Step =>
    step({ kind: 'whyNot', relation, tuple, text }, () => clausesOf(clauses), id);

  const clausesOf = (clauses: WhyNot['clauses']): Step[] => {
    const nearest = nearestOf(clauses);
    return clauses.map((each) => clause(each, each === nearest));
  };

  const clause = (source: WhyNot['clauses'][number], isNearest: boolean): Step => {
    const { rule: path, clause: number, span, bindings, variables = [], satisfied, fails, behind = [] } = source;
    const reach = { held: satisfied.length, premises: satisfied.length + lackedBy(source), isNearest };
    return step({ kind: 'clause', span, rule: { path, clause: number }, bindings, variables, reach }, () => [
      ...satisfied.map(premise),
      ...(fails === null ? [] : [failure(fails, isMissing(fails) ? 'missing' : 'fails')]),
      ...behind.map((each) => failure(each, kindBehind(each))),
    ]);
  };

  const failure = (source: FailingPremise, kind: StepKind): Step => {
    const { aggregate, blockedBy, whyNot: asked } = source;
    const id = nextId();
    const taken = aggregate === undefined ? undefined : below(aggregate);
    const children = [
      ...(taken?.children ?? []),
      ...(blockedBy === undefined ? [] : [premise(blockedBy)]),
      // The same question of the failing premise: its clauses, without saying the premise again.
      ...(asked === undefined ? [] : clausesOf(asked.clauses)),
    ];
    if (asked !== undefined) answered.set(asked.id, id);
    return { ...unmet(source), id, kind, target: undefined, aggregation: taken?.aggregation, children };
  };

  const root = (explanation: Explanation): Step => {
    earlier = new Set(expanded.keys());
    for (const proof of explanation.holds ? [explanation.proof] : proofsIn(explanation.whyNot)) noteFacts(proof, facts);
    return explanation.holds ? premise(explanation.proof) : whyNot(explanation.whyNot);
  };

  /** Gives each `ref` the fact that it stands for, which may be expanded before or after it. */
  const resolved = (step: Step): Step => {
    if (step.kind === 'ref') {
      const missing = expanded.has(step.factId ?? '') ? undefined : leftOut.get(step.factId ?? '');
      if (missing !== undefined) {
        earlier = new Set(expanded.keys());
        return resolved(premise(missing));
      }
      const target = expanded.get(step.factId ?? '');
      return { ...step, target: target?.id, relation: target?.relation, tuple: target?.tuple };
    }
    return { ...step, target: answered.get(step.question ?? ''), children: step.children.map(resolved) };
  };

  return { root, resolved };
}
