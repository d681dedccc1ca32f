/** Exports a scope: its schema, its stored facts and, optionally, its derived facts, page by page. */

import type { Snapshot } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { isStoredKind, type Scope } from '../state/scope.js';
import { pageOfSections } from '../wire/orders.js';
import { servedSchema } from '../wire/served-schema.js';
import { relationSection, wireFacts } from './lists.js';

/**
 * Facts are sorted by relation, stored before derived, then in the language's order. The first page has the schema. Reads the scope's
 * numbers first, while they still match the view.
 */
export async function takeSnapshot(
  scope: Scope,
  fork: string,
  view: View,
  options: { readonly derived: boolean },
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<Snapshot>> {
  const { program } = view;
  const { lastTransaction: txn, lastSeq: seq } = scope;
  const infos = [...program.relations.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  const stored = infos.filter(({ kind }) => isStoredKind(kind));
  const derived = options.derived ? infos.filter(({ kind }) => !isStoredKind(kind)) : [];
  const sections = [...stored, ...derived].map((info) => relationSection(view, info, deadline));
  const { rows, ...more } = await pageOfSections(view, sections, request, deadline);
  const isStored = ({ section }: (typeof rows)[number]) => isStoredKind(section.info.kind);
  const result: Snapshot = {
    fork,
    txn,
    seq,
    schemaHash: program.artifact.schemaHash,
    ...(request.paging.page === undefined && { schema: servedSchema(program.artifact) }),
    facts: await wireFacts(view, rows.filter(isStored), deadline),
    ...(options.derived && {
      derived: await wireFacts(
        view,
        rows.filter((row) => !isStored(row)),
        deadline,
      ),
    }),
  };
  return { result, ...more };
}
