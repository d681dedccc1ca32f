/** Queries for differences: between two forks, or between a fork and the result of a promotion or rebase. */

import { type QueryClient, useInfiniteQuery, useIsMutating, useQuery } from '@tanstack/react-query';
import type { DiffOptions } from '../../../../src-runtime/api/client.js';
import type { DiffLayer, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { givenContext, placeContext, usePlace } from '../../../model/calls/place.js';
import { failureOf, hasCode } from '../../../model/facts/failure.js';
import { api } from '../../../server-state/api.js';
import { useHealth } from '../../../server-state/health.js';
import { keyHash } from '../../../state/plain-values.js';
import { useStore } from '../../../state/store.js';
import { sidesOf } from './comparison-filter.js';
import type { Change } from './comparison-rows.js';

/** Two states: left is compared with, right is compared. */
export interface Sides {
  readonly of: 'forks' | 'promotion' | 'update';
  /** For a promotion, the parent; for a rebase, the fork. */
  readonly left: ForkInfo;
  /** Source of the new facts: the promoted fork, or the fork to rebase onto. */
  readonly right: ForkInfo;
  /** For a comparison of two moments of one fork. */
  readonly moments?: { readonly since: number; readonly until: number | undefined } | undefined;
  /** For a promotion or rebase, conflicts in which the parent's value is kept, in the form of the API. */
  readonly keep?: string | undefined;
}

/** The fork that is promoted or rebased. */
function subjectOf({ of, left, right }: Sides): ForkInfo {
  return of === 'update' ? left : right;
}

/** Number of differences in a layer, by relation. */
export function useDifferenceCounts(sides: Sides, layer: DiffLayer) {
  const place = useComparedPlace(sides);
  return useQuery({
    queryKey: ['facts', 'difference-counts', ...sidesKey(sides), layer, versions(sides), place],
    queryFn: ({ signal }) => {
      const options = { layer, context: givenContext(), signal };
      const { of, left, right } = sides;
      const counts =
        of === 'forks'
          ? api.diffCounts(left.id, right.id, { ...options, ...momentsOption(sides) })
          : (of === 'update' ? api.countUpdate : api.countPromotion)(subjectOf(sides).id, {
              ...options,
              ...keepOption(sides),
            });
      return counts.then((answer) => answer.result);
    },
    enabled: useMayAsk(sides),
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

/** Longest page. What changed about one individual is spread over the relations, so most forks should fit in one. */
const GROUPED_ROWS_MAX = 5_000;

/** The rows of a layer or relation, page by page; only the shown kinds. */
export function useDifferences(
  sides: Sides,
  part: { readonly layer: DiffLayer } | { readonly relation: string },
  kinds: readonly Change[],
  enabled: boolean,
) {
  const place = useComparedPlace(sides);
  const only = sidesOf(kinds);
  const mayAsk = useMayAsk(sides);
  const rowCap = useHealth().data?.limits.rows;
  const limit = Math.min(rowCap ?? 0, GROUPED_ROWS_MAX);
  return useInfiniteQuery({
    queryKey: ['facts', 'differences', ...sidesKey(sides), part, kinds, versions(sides), place],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === undefined ? {} : { page: pageParam };
      const narrowed = { ...part, ...(only !== undefined && { sides: only }) };
      return differences(sides, { ...narrowed, limit, ...page, signal });
    },
    enabled: enabled && mayAsk && rowCap !== undefined,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous, query) =>
      isSameQuestion(query?.queryKey, sides) && keyHash(query?.queryKey.slice(5, 7) ?? []) === keyHash([part, kinds])
        ? previous
        : undefined,
  });
}

/** The first rows of one kind in a layer, across relations. */
export function useFirstDifferences(sides: Sides, layer: DiffLayer, kind: Change, rows: number) {
  const place = useComparedPlace(sides);
  return useQuery({
    queryKey: ['facts', 'first-differences', ...sidesKey(sides), layer, kind, versions(sides), place],
    // A change is two facts.
    queryFn: ({ signal }) => differences(sides, { layer, sides: sidesOf([kind]) ?? [], limit: 2 * rows, signal }),
    enabled: useMayAsk(sides),
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

function differences(sides: Sides, wish: DiffOptions) {
  const { of, left, right } = sides;
  const options = { ...wish, context: givenContext() };
  if (of === 'forks') return api.diffForks(left.id, right.id, { ...options, ...momentsOption(sides) });
  const preview = of === 'update' ? api.previewUpdate : api.previewPromotion;
  return preview(subjectOf(sides).id, { ...options, ...keepOption(sides) });
}

/** Violations and conflicts of a promotion or rebase; its error is the error of the operation. */
export function useMergeDryRun(sides: Sides) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: ['facts', 'merge-dry-run', ...sidesKey(sides), versions(sides), context],
    queryFn: ({ signal }) => {
      const options = { dryRun: true, ...keepOption(sides), context: givenContext(), signal };
      const { id } = subjectOf(sides);
      return sides.of === 'update'
        ? api.updateFork(id, {}, options)
        : api.promoteFork(id, { ...options, explain: true });
    },
    enabled: useMayAsk(sides) && sides.of !== 'forks',
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

/** The change that the target cannot take, because it refers to something deleted there. */
export function lostIn(error: unknown): number | undefined {
  const txn = hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED') ? failureOf(error)?.details['txn'] : undefined;
  return typeof txn === 'number' ? txn : undefined;
}

/** Preview of reverting a promotion. */
export function useUndoDryRun(sides: Sides) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: ['facts', 'undo-dry-run', ...sidesKey(sides), versions(sides), context],
    queryFn: ({ signal }) =>
      api.undoPromotion(sides.right.id, { dryRun: true, explain: true, context: givenContext(), signal }),
    enabled: useMayAsk(sides),
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

/** Preview of reverting a transaction. */
export function useUndoTransactionDryRun(fork: string, txn: number) {
  const context = useStore(placeContext);
  const changing = useIsMutating({ mutationKey: ['forks'] });
  return useQuery({
    queryKey: ['facts', 'undo-transaction-dry-run', fork, txn, context],
    queryFn: ({ signal }) =>
      api.undoTransaction(txn, { dryRun: true, explain: true, fork, context: givenContext(), signal }),
    enabled: changing === 0,
  });
}

/** A transaction and the fork to cherry-pick it onto. */
export interface Picking extends Pick<Sides, 'keep'> {
  readonly from: string;
  readonly txn: number;
  readonly target: ForkInfo;
}

/** Preview of a cherry-pick. Ignores the result of an earlier selection. */
export function usePickDryRun({ from, txn, target, keep }: Picking) {
  const context = useStore(placeContext);
  const changing = useIsMutating({ mutationKey: ['forks'] });
  return useQuery({
    queryKey: ['facts', 'pick-dry-run', from, txn, target.id, versions({ left: target, right: target, keep }), context],
    queryFn: ({ signal }) => {
      const options = {
        dryRun: true,
        effects: true,
        explain: true,
        ...keepOption({ keep }),
        context: givenContext(),
        signal,
      };
      return api.pickTransaction(target.id, { from, txn }, options);
    },
    enabled: changing === 0,
    placeholderData: (previous) => previous,
  });
}

/** False while the operation runs: a preview would be refused then. */
function useMayAsk({ of }: Sides): boolean {
  const changing = useIsMutating({ mutationKey: ['forks'] });
  return of === 'forks' || changing === 0;
}

/** Cancels previews of promotions, which would be refused after the promotion. */
export function giveUpPreviews(client: QueryClient): Promise<void> {
  return client.cancelQueries({ predicate: ({ queryKey: [of, , what] }) => of === 'facts' && what === 'promotion' });
}

function sidesKey({ of, left, right }: Sides): string[] {
  return [of, left.id, right.id];
}

function momentsOption({ moments }: Sides) {
  return moments && { asOf: moments.since, otherAsOf: moments.until ?? 'now' };
}

/** The tenant and context of the page, at the two compared moments. The second is absent if a write may change it. */
function useComparedPlace({ moments }: Sides) {
  const { context, asOf } = usePlace();
  if (moments?.until !== undefined) return { context, since: moments.since, asOf: moments.until };
  return { context, ...(moments ? { since: moments.since } : asOf !== undefined && { asOf }) };
}

function keepOption({ keep }: Pick<Sides, 'keep'>): { readonly keep?: string } {
  return keep === undefined ? {} : { keep };
}

/** The cache key includes later writes, the selection, and the identity of the fork. */
function versions({ left, right, keep = '' }: Omit<Sides, 'of'>): string {
  return keep + [left, right].map(({ createdAt, status, events }) => `${createdAt} ${status} ${events}`).join(' ');
}

function isSameQuestion(key: readonly unknown[] | undefined, sides: Sides): boolean {
  return key !== undefined && sidesKey(sides).every((part, index) => key[index + 2] === part);
}
