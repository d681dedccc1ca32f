/**
 * Writes the rows that an import rejects, each with the reason. The text has the form of the imported file, so that it can be imported
 * again; the column `$reason` is ignored then.
 */

import { type Cell, writeDelimited } from './delimited-text.js';
import type { ParsedFile } from './import-file.js';
import type { RejectedRow } from './row-lines.js';

const REASON = '$reason';

/** `columnOf` is the column that feeds a parameter. */
export function createRejectsText(
  { format, separator = ',', columns }: ParsedFile,
  columnOf: (field: string) => string | undefined = () => undefined,
) {
  const textOf = (row: readonly Cell[]): string => writeDelimited([row], separator);
  return {
    head: format === 'csv' ? textOf([REASON, ...columns]) : '',
    text: (rows: readonly RejectedRow[]): string =>
      rows
        .map((rejected) => {
          const { row } = rejected;
          const reason = reasonsOf(rejected, columnOf).join(' ');
          return 'record' in row
            ? `${JSON.stringify({ [REASON]: reason, ...row.record })}\n`
            : textOf([reason, ...row.cells]);
        })
        .join(''),
  };
}

/** The reasons, each with the column that it is about. */
export function reasonsOf(
  { problems }: Pick<RejectedRow, 'problems'>,
  columnOf: (field: string) => string | undefined,
): readonly string[] {
  return problems.map(({ field, message }) => {
    const column = columnOf(field);
    return column === undefined ? message : `column "${column}": ${message}`;
  });
}
