/**
 * The proofs for a bundle: of the explanation in the response, of the violations that blocked the request, or of those it caused.
 * A blocked write is repeated as a dry run, because its state exists nowhere else.
 */

import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';
import type { CallOptions } from '../../../../src-runtime/api/transport.js';
import { api } from '../../../server-state/api.js';
import { canSendAgain, fetchAgain } from '../send-again.js';
import { harmlessPath, withParameter } from './harmless-path.js';

type Proof = NonNullable<ReproBundle['proof']>;

/** `asOf` is known only if the response itself was the proof. */
export type FoundProof = Omit<Proof, 'asOf'> & Partial<Pick<Proof, 'asOf'>>;

/** Proves only the first violations, as the server does. */
const PROVED_MAX = 10;

const EXPLAINS = /\/explain(\?|$)/;
const PROVES_REFUSALS =
  /\/(dispatch\/mutation|mutation\/adhoc|batch|import|promote|promote\/undo|pick|transactions\/\d+\/undo)(\?|$)/;

/** Undefined if there is nothing to prove, or it can no longer be proved: the bundle is saved anyway. */
export async function proofOf(request: RequestDetail, scope: CallOptions): Promise<FoundProof | undefined> {
  try {
    const found = await findProof(request, scope);
    return found === undefined || found.explanations.length === 0 ? undefined : found;
  } catch (error) {
    if (scope.signal?.aborted === true) throw error;
    return undefined;
  }
}

async function findProof(request: RequestDetail, scope: CallOptions): Promise<FoundProof | undefined> {
  if (request.status < 400 && EXPLAINS.test(request.path)) {
    const isWhole = request.answer !== null && !request.answer.cut;
    const text = isWhole ? request.answer?.text : await newAnswer(request, request.path);
    const { result } = answerIn(text);
    const explanations = (Array.isArray(result) ? result : [result]).filter(isExplanation);
    return { explanations, ...(isWhole && { asOf: 'request' }) };
  }
  if (!PROVES_REFUSALS.test(request.path)) return undefined;
  if (request.code === 'SVC_RUNTIME_CHECK_VIOLATION') {
    const path = harmlessPath(request);
    if (path === undefined) return undefined;
    const details = answerIn(await newAnswer(request, withParameter(path, 'explain'))).error?.details;
    return { explanations: details?.explanations ?? [], ...(details?.names && { names: details.names }) };
  }
  if (request.status >= 400 || request.path.includes('dryRun=true')) return undefined;
  return { explanations: await proofsOf(warningsIn(answerIn(request.answer?.text)), scope) };
}

async function newAnswer(request: RequestDetail, path: string): Promise<string | undefined> {
  return canSendAgain(request) ? (await fetchAgain(request, path)).text : undefined;
}

async function proofsOf(violations: readonly Firing[], scope: CallOptions): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  for (const { check, tuple } of violations.slice(0, PROVED_MAX)) {
    const { result } = await api.explain({ relation: check, tuple: Object.values(tuple) }, scope);
    // A violation resolved since was not caused by this request.
    if (result.holds) explanations.push(result);
  }
  return explanations;
}

interface Answer {
  readonly result?: unknown;
  readonly warnings?: readonly Firing[];
  readonly error?: {
    readonly details?: { readonly explanations?: Explanation[]; readonly names?: Record<string, string> };
  };
}

function answerIn(text: string | undefined): Answer {
  return text === undefined ? {} : (JSON.parse(text) as Answer);
}

/** Batch steps have their own warnings. */
function warningsIn({ warnings, result }: Answer): readonly Firing[] {
  if (warnings !== undefined || !Array.isArray(result)) return warnings ?? [];
  return (result as readonly Answer[]).flatMap((step) => step.warnings ?? []);
}

function isExplanation(value: unknown): value is Explanation {
  return typeof value === 'object' && value !== null && ('proof' in value || 'whyNot' in value);
}
