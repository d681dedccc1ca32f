/** Streams the rows of queries, as codes where that is possible. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { QueryDeclaration } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { bare, driveAsync, type ExpressionContext, type View } from '../../engine/index.js';
import type { IndividualForm } from '../contract/requests.js';
import { codedColumns } from '../wire/coded-columns.js';
import { withFaults } from '../wire/faults.js';
import { inBlocks, inCodedBlocks, type RowBlocks } from '../wire/row-blocks.js';
import { type CodedSelect, codedSelectOf, selectCodes } from './coded-selects.js';
import { readCall, solveQuery } from './queries.js';

/** All rows, solved and sorted before the first block. Throws like `runQuery`. */
export async function* streamQuery(
  view: View,
  query: QueryDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  expressionContext: ExpressionContext,
  individuals: IndividualForm,
  deadline: Deadline,
): RowBlocks {
  const { path, result } = query;
  const attempt = <T>(work: () => MaybePromise<T>): MaybePromise<T> =>
    withFaults(view.program, path, 'SVC_RUNTIME_QUERY_EVAL_FAILED', work);
  const bound = await attempt(() => driveAsync(readCall(view, query, args, deadline)));
  const coded = await attempt(() => codedSelect(view, query));
  if (coded === undefined) {
    const solve = () => driveAsync(solveQuery(view, query, args, expressionContext, undefined, deadline));
    const { value, selection, renderer } = await attempt(solve);
    if (selection !== undefined) {
      yield* inBlocks(selection.rows, ({ row }) => renderer.render(selection.type, row), deadline);
    } else if (value !== null) {
      yield* inBlocks([value], (row) => renderer.render(result, row), deadline);
    }
    return;
  }
  const isTable = bare(coded.body.row).kind === 'record';
  const selecting = () => driveAsync(selectCodes(view, coded, bound, expressionContext, deadline));
  const { interner, size, codesOf } = await attempt(selecting);
  const columns = await codedColumns(view, interner, coded.columns, isTable ? individuals : 'entity', deadline);
  if (isTable) yield* inCodedBlocks(columns, size, codesOf, deadline);
  else yield* inBlocks(codesOf(0, size), (code) => columns[0]?.wireOf(code) ?? null, deadline);
}

function codedSelect({ program }: View, { body, result }: QueryDeclaration): CodedSelect | undefined {
  return body.op === 'select' && result.kind === 'list' ? codedSelectOf(program, body) : undefined;
}
