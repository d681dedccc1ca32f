/** Explains a tuple as it is, or as it would be after a call or under sources that are not saved. */

import type { z } from 'zod';
import type { Operations } from '../../api/operations/index.js';
import type { explainRequestSchema } from '../../api/schemas/explain-request.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportTarget } from '../../api/schemas/import-schemas.js';
import type { MaybePromise } from '../../base/ports.js';
import type { Candidate, DryRunCall } from '../../world/contract/requests.js';
import { requireAdhoc } from '../../world/read/adhoc.js';
import { explain } from '../../world/session/explanations.js';
import { requireGranted } from '../../world/wire/callables.js';
import { badRequest } from '../http/envelope.js';
import { wireDiagnostics } from '../modules/loader.js';
import type { Call, ServerContext } from './call.js';

type Explain = Operations['explain'];

export function explainCall(call: Call<Explain>): MaybePromise<Explanation> {
  const { relation, tuple, given, before, moduleHash, after } = call.body;
  const isOfModule = after !== undefined && 'files' in after;
  if (call.query.asOf !== undefined && after !== undefined && !isOfModule) {
    const message = '"after" runs a call, and the past cannot be written; omit "asOf" or "after".';
    throw badRequest(message, { path: '$.asOf' });
  }
  const tried = after === undefined || isOfModule ? undefined : requireCall(call.context, after);
  const explained = (candidate?: Candidate) => {
    const options = {
      ...{ ...call.query, given, before, moduleHash, candidate },
      after: tried && { call: tried, granted: call.capabilities },
    };
    return call.run((session) => explain(session, relation, tuple, call.deadline(), options));
  };
  return isOfModule ? candidateOf(call.context, after, call.capabilities).then(explained) : explained();
}

type After = NonNullable<z.output<typeof explainRequestSchema>['after']>;
type AfterSave = Extract<After, { readonly files: unknown }>;

/** Throws CAPABILITY_DENIED, and VALIDATION_FAILED for texts that do not compile. */
async function candidateOf(
  { loader }: ServerContext,
  { files, whole = false }: AfterSave,
  capabilities: readonly Capability[],
): Promise<Candidate> {
  requireGranted('reload', capabilities);
  const { artifact, sources, diagnostics } = await loader.compileWith(files, whole);
  if (artifact !== undefined) return { artifact, sources };
  throw badRequest('The files in $.after have errors, so their rules cannot be used; fix them first.', {
    path: '$.after.files',
    diagnostics: wireDiagnostics(diagnostics),
  });
}

/** Throws what the call itself throws before it runs. */
function requireCall(context: ServerContext, after: Exclude<After, AfterSave>): DryRunCall['call'] {
  if ('steps' in after) {
    requireBatchSteps(context, after.steps, '$.after.steps');
    return after;
  }
  if ('import' in after) {
    requireInto(context, after.import);
    return { import: { ...after.import, keys: after.import.keys ?? {} } };
  }
  if ('promote' in after || 'update' in after || 'pick' in after) {
    return { ...after, keep: after.keep === 'parent' ? 'all' : (after.keep ?? []) };
  }
  if (!('source' in after)) return after;
  const call = { module: undefined, ...after };
  context.runtime.prepareAdhoc('mutation', call);
  return call;
}

/** Throws ADHOC_DISABLED for an import that no declared mutation guards. */
export function requireInto({ settings }: ServerContext, { into }: ImportTarget): void {
  if (into !== undefined) requireAdhoc(settings.adhoc);
}

/** Throws VALIDATION_FAILED for more steps than a batch may have. */
export function requireBatchSteps({ settings }: ServerContext, steps: readonly unknown[], path: string): void {
  const { batchSteps } = settings.limits;
  if (steps.length <= batchSteps) return;
  const message = `A batch has ${batchSteps} steps at most, and this one has ${steps.length}; send it in parts.`;
  throw badRequest(message, { path, batchSteps });
}
