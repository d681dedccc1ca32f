/** How two forks differ: the facts that only one of them has. */

import type { ForkDiffRow } from '../api/schemas.js';
import type { Pacer } from '../base/ports.js';
import { drive, factId, filtered, mapped, type RelationInfo, type View } from '../engine/index.js';
import { wireTuple } from './explanations.js';
import { withFaults } from './faults.js';
import { reading, requireFork } from './forks.js';
import { enforceRowCap, type PageRequest, pageOf, type Sortable } from './pages.js';
import type { Page, Paging } from './runtime.js';
import { isStoredKind } from './scope.js';
import { pageRequest, type SessionParts } from './session-parts.js';

/** This fork is the left one. Throws FORK_NOT_FOUND for the other; with derived facts DERIVE_FAILED too. */
export async function diffForks(
  parts: SessionParts,
  otherId: string,
  options: { readonly derived: boolean },
  paging: Paging,
  pacer: Pacer,
): Promise<Page<ForkDiffRow[]>> {
  const other = requireFork(parts.scope, otherId);
  const request = pageRequest(parts, paging, ['diff', other.id, other.txn, options.derived]);
  return reading(parts, (left) =>
    reading({ ...parts, fork: other }, async (right) => {
      const rows: Sortable<ForkDiffRow>[] = [];
      for (const info of parts.scope.program.relations.values()) {
        const isDerived = info.kind === 'derived' || info.kind === 'define';
        if (!isStoredKind(info.kind) && !(options.derived && isDerived)) continue;
        await compare(left, right, info, request, rows, pacer);
      }
      const text = { type: { kind: 'scalar', name: 'Text' }, descending: false } as const;
      const page = await pageOf(parts.scope.program, [text, text, text], rows, request, pacer);
      return { result: [...page.rows], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
    }),
  );
}

async function compare(
  left: View,
  right: View,
  info: RelationInfo,
  request: PageRequest,
  into: Sortable<ForkDiffRow>[],
  pacer: Pacer,
): Promise<void> {
  const { path } = info;
  const kind = isStoredKind(info.kind) ? 'stored' : 'derived';
  const read = (view: View) =>
    withFaults(view.program, path, 'SVC_RUNTIME_DERIVE_FAILED', () => view.materialise(path, pacer));
  const [ofLeft, ofRight] = [await read(left), await read(right)];
  for (const [only, own, others] of [
    ['left', ofLeft, ofRight],
    ['right', ofRight, ofLeft],
  ] as const) {
    await others.prepare([...info.endpoints.keys()], pacer);
    const lacking = filtered(own.rows(), (codes) => !others.has(codes));
    const rows = mapped(await drive(lacking, pacer), (codes) => {
      const tuple = wireTuple(left, info, codes);
      const row: ForkDiffRow = { only, kind, factId: factId(path, tuple), relation: path, tuple };
      return { key: [path, JSON.stringify(tuple), only], row };
    });
    for (const row of await drive(rows, pacer)) into.push(row);
    enforceRowCap(into.length, request);
  }
}
