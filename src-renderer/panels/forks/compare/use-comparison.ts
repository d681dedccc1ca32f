/**
 * What differs, asked of the server: between two forks, between a parent and what a promotion would make of it, or between a fork
 * and what bringing it up to date would make of it.
 */

import { type QueryClient, useInfiniteQuery, useIsMutating, useQuery } from '@tanstack/react-query';
import type { DiffOptions } from '../../../../src-runtime/api/client.js';
import type { DiffLayer, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { givenContext, placeContext } from '../../../model/calls/place.js';
import { failureOf, hasCode } from '../../../model/facts/failure.js';
import { api } from '../../../server-state/api.js';
import { PAGE_ROWS } from '../../../server-state/facts.js';
import { useStore } from '../../../state/store.js';
import { sidesOf } from './comparison-filter.js';
import type { Change } from './comparison-rows.js';

/** Two states side by side: what is compared with on the left, what is looked at on the right. */
export interface Sides {
  readonly of: 'forks' | 'promotion' | 'update';
  /** Of a promotion, the parent; of an update, the fork. */
  readonly left: ForkInfo;
  /** Where that comes from which is new on the left side: the fork that is promoted, or what is brought up to date with. */
  readonly right: ForkInfo;
  /** Of a promotion or an update, the conflicts in which the parent's value is kept, as the server takes it. */
  readonly keep?: string | undefined;
}

/** The fork that is promoted, or brought up to date. */
function subjectOf({ of, left, right }: Sides): ForkInfo {
  return of === 'update' ? left : right;
}

/** How much differs in a layer, by relation. */
export function useDifferenceCounts(sides: Sides, layer: DiffLayer) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: ['facts', 'difference-counts', ...sidesKey(sides), layer, versions(sides), context],
    queryFn: ({ signal }) => {
      const options = { layer, context: givenContext(), signal };
      const { of, left, right } = sides;
      const counts =
        of === 'forks'
          ? api.diffCounts(left.id, right.id, options)
          : (of === 'update' ? api.countUpdate : api.countPromotion)(subjectOf(sides).id, {
              ...options,
              ...keptIn(sides),
            });
      return counts.then((answer) => answer.result);
    },
    enabled: useMayAsk(sides),
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

/** The rows of one relation, a page at a time; of the kinds that are shown, none for all. */
export function useDifferences(sides: Sides, relation: string, kinds: readonly Change[]) {
  const context = useStore(placeContext);
  const only = sidesOf(kinds);
  return useInfiniteQuery({
    queryKey: ['facts', 'differences', ...sidesKey(sides), relation, kinds, versions(sides), context],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === undefined ? {} : { page: pageParam };
      const narrowed = { relation, ...(only !== undefined && { sides: only }) };
      return differences(sides, { ...narrowed, limit: PAGE_ROWS, ...page, signal });
    },
    enabled: useMayAsk(sides),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** The first rows of one kind in a layer, whatever their relations: at least so many where there are. */
export function useFirstDifferences(sides: Sides, layer: DiffLayer, kind: Change, rows: number) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: ['facts', 'first-differences', ...sidesKey(sides), layer, kind, versions(sides), context],
    // A change is two facts.
    queryFn: ({ signal }) => differences(sides, { layer, sides: sidesOf([kind]) ?? [], limit: 2 * rows, signal }),
    enabled: useMayAsk(sides),
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

function differences(sides: Sides, wish: DiffOptions) {
  const { of, left, right } = sides;
  const options = { ...wish, context: givenContext() };
  if (of === 'forks') return api.diffForks(left.id, right.id, options);
  const preview = of === 'update' ? api.previewUpdate : api.previewPromotion;
  return preview(subjectOf(sides).id, { ...options, ...keptIn(sides) });
}

/** Firings and conflicts of a promotion or an update; its error is what that would fail with. */
export function useMergeDryRun(sides: Sides) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: ['facts', 'merge-dry-run', ...sidesKey(sides), versions(sides), context],
    queryFn: ({ signal }) => {
      const options = { dryRun: true, ...keptIn(sides), context: givenContext(), signal };
      const { id } = subjectOf(sides);
      return sides.of === 'update'
        ? api.updateFork(id, {}, options)
        : api.promoteFork(id, { ...options, explain: true });
    },
    enabled: useMayAsk(sides) && sides.of !== 'forks',
    placeholderData: (previous, query) => (isSameQuestion(query?.queryKey, sides) ? previous : undefined),
  });
}

/** The event of the fork that its parent, or a fork of that, cannot take, as it refers to what the parent has lost, by its transaction. */
export function lostIn(error: unknown): number | undefined {
  const txn = hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED') ? failureOf(error)?.details['txn'] : undefined;
  return typeof txn === 'number' ? txn : undefined;
}

/** What undoing a promotion would write to the parent, with guards, warnings and conflicts. */
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

/** The same of one transaction of a fork's history. */
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

/** A transaction of one fork's history, and where it is picked onto. */
export interface Picking extends Pick<Sides, 'keep'> {
  readonly from: string;
  readonly txn: number;
  readonly target: ForkInfo;
}

/** What picking a transaction would change, with guards, warnings and conflicts. Of other picks the caller is another one. */
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
        ...keptIn({ keep }),
        context: givenContext(),
        signal,
      };
      return api.pickTransaction(target.id, { from, txn }, options);
    },
    enabled: changing === 0,
    placeholderData: (previous) => previous,
  });
}

/** False of a promotion or an update that is being made or taken back: what is asked of it then would be refused. */
function useMayAsk({ of }: Sides): boolean {
  const changing = useIsMutating({ mutationKey: ['forks'] });
  return of === 'forks' || changing === 0;
}

/** Gives up what is being asked of promotions: behind one that is made it would be refused. */
export function giveUpPreviews(client: QueryClient): Promise<void> {
  return client.cancelQueries({ predicate: ({ queryKey: [of, , what] }) => of === 'facts' && what === 'promotion' });
}

function sidesKey({ of, left, right }: Sides): string[] {
  return [of, left.id, right.id];
}

function keptIn({ keep }: Pick<Sides, 'keep'>): { readonly keep?: string } {
  return keep === undefined ? {} : { keep };
}

/** What was written since, another choice, or another fork of the same name, makes it another question. */
function versions({ left, right, keep = '' }: Omit<Sides, 'of'>): string {
  return keep + [left, right].map(({ createdAt, status, events }) => `${createdAt} ${status} ${events}`).join(' ');
}

function isSameQuestion(key: readonly unknown[] | undefined, sides: Sides): boolean {
  return key !== undefined && sidesKey(sides).every((part, index) => key[index + 2] === part);
}
