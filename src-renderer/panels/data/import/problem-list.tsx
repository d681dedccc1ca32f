/** Errors of an import by row: number, field, message. */

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RowProblem } from '../../../../src-runtime/api/tables/import-file.js';
import { numberText } from '../../../model/text/count-text.js';
import { Glyph } from '../../../ui/glyph.js';
import styles from '../import.module.css';

const SHOWN_MAX = 100;

interface ProblemListProps<Problem extends RowProblem> {
  readonly title: string;
  readonly problems: readonly Problem[];
  /** There may be more. */
  readonly isCut: boolean;
  /** Absent if no row would remain. */
  readonly onLeaveOut?: ((rows: readonly number[]) => void) | undefined;
  /** The link to the proof of a check violation. */
  readonly whyOf?: (problem: Problem) => ReactNode;
}

export function ProblemList<Problem extends RowProblem>(props: ProblemListProps<Problem>) {
  const { title, problems, isCut, onLeaveOut, whyOf } = props;
  if (problems.length === 0) return null;
  const rows = [...new Set(problems.map(({ row }) => row))];
  return (
    <section aria-label={title} className={styles.importProblems}>
      <h3 className="glyph-line">
        <Glyph kind="blocking" />
        <span>
          {title}: {numberText(rows.length)}
          {isCut ? ' or more' : ''}
        </span>
      </h3>
      {onLeaveOut !== undefined && (
        <Button variant="default" className={styles.importLeaveOut} onClick={() => onLeaveOut(rows)}>
          Skip {rows.length === 1 ? 'this row' : `these ${numberText(rows.length)} rows`}
        </Button>
      )}
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="table-number">
              row
            </th>
            <th scope="col">field</th>
            <th scope="col">error</th>
          </tr>
        </thead>
        <tbody>
          {problems.slice(0, SHOWN_MAX).map((problem) => {
            const { row, field, message } = problem;
            return (
              <tr key={`${row} ${field} ${message}`}>
                <td className="table-number">{row + 1}</td>
                <td>{field === '' ? <span className="dim">whole row</span> : field}</td>
                <td className={styles.importMessage}>
                  {message} {whyOf?.(problem)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {problems.length > SHOWN_MAX && (
        <p className="dim">
          Showing {SHOWN_MAX} of {numberText(problems.length)} errors.
        </p>
      )}
    </section>
  );
}
