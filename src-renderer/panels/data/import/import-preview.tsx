/** The first rows as they would be sent, and all rows that cannot be read. */

import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import type { ParsedFile } from '../../../../src-runtime/api/tables/import-file.js';
import type { ImportRows, Mapping, Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { decimalText } from '../../../domain/result/decimal-text.js';
import { plainText } from '../../../model/facts/labels.js';
import { numberText } from '../../../model/text/count-text.js';
import { decimalPlaces } from '../../../model/text/decimal-places.js';
import { ownValue } from '../../../state/own-value.js';
import { Glyph } from '../../../ui/glyph.js';
import styles from '../import.module.css';
import { isNumeric } from '../rows/grid-columns.js';
import { ProblemList } from './problem-list.js';

const PREVIEW_ROWS = 20;

interface ImportPreviewProps {
  readonly file: ParsedFile;
  readonly parameters: readonly Parameter[];
  readonly mapping: Mapping;
  readonly read: ImportRows;
  /** The file has more rows than these. */
  readonly isBeginning?: boolean;
  /** Absent if rows cannot be left out. */
  readonly onLeaveOut: ((rows: readonly number[]) => void) | undefined;
  /** The user has asked for the import, so what does not fit is an error. */
  readonly isAsked: boolean;
}

export function ImportPreview({
  file,
  parameters,
  mapping,
  read: { rows, missing, problems: found },
  isBeginning = false,
  onLeaveOut,
  isAsked,
}: ImportPreviewProps) {
  const shown = parameters.filter(({ name }) => (mapping[name] ?? null) !== null);
  const unused = file.columns.filter((column) => !Object.values(mapping).includes(column));
  const problems = isAsked ? found : [];
  const wrong = new Set(problems.map(({ row, field }) => `${row} ${field}`));
  const isAnyGood = new Set(problems.map(({ row }) => row)).size < rows.length;
  const first = rows.slice(0, PREVIEW_ROWS);
  const places = (name: string): number =>
    Math.max(0, ...first.map((row) => decimalPlaces(ownValue(row, name) ?? null)));
  return (
    <section aria-label="Preview" className={styles.importPreview}>
      <h3>
        {isBeginning && 'First '}
        {numberText(rows.length)} {rows.length === 1 ? 'row' : 'rows'} of {file.format.toUpperCase()}
        {rows.length > PREVIEW_ROWS && <span className="dim"> · first {PREVIEW_ROWS} shown</span>}
      </h3>
      {unused.length > 0 && <p className="dim">Unused columns: {unused.join(', ')}</p>}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        <section className={styles.importTable} tabIndex={0} aria-label="First rows">
          <table className="table">
            <thead>
              <tr>
                <th scope="col" className="table-number">
                  row
                </th>
                {shown.map(({ name, type }) => (
                  <th
                    key={name}
                    scope="col"
                    className={isNumeric({ type: plainType(type) }) ? 'table-number' : undefined}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key other than their number.
                <tr key={at}>
                  <td className="table-number dim">{at + 1}</td>
                  {shown.map(({ name, type }) => {
                    const isWrong = wrong.has(`${at} ${name}`);
                    const classes = [
                      isWrong ? styles.importBad : '',
                      isNumeric({ type: plainType(type) }) ? 'table-number' : '',
                    ];
                    return (
                      <td key={name} className={classes.join(' ')}>
                        {decimalText(
                          <PreviewCell value={ownValue(row, name)} isWrong={isWrong} />,
                          ownValue(row, name) ?? null,
                          places(name),
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {missing.length > 0 && (
        <p className={isAsked ? styles.importWrong : 'dim'} role={isAsked ? 'alert' : undefined}>
          Map {missing.length < 3 ? missing.join(' and ') : missing.join(', ')} to continue.
        </p>
      )}
      <ProblemList
        title="Rows with errors"
        problems={problems}
        isCut={false}
        onLeaveOut={isAnyGood ? onLeaveOut : undefined}
      />
    </section>
  );
}

function plainType(type: WireType): WireType {
  return type.kind === 'optional' ? type.of : type;
}

function PreviewCell({ value, isWrong }: { value: JsonValue | undefined; isWrong: boolean }) {
  if (value === undefined) return <span className="dim">not imported</span>;
  const text = plainText(value);
  if (!isWrong) return <span title={text}>{text}</span>;
  return (
    <span title="Invalid, see below">
      <Glyph kind="blocking" label="invalid" size={10} /> {text}
    </span>
  );
}
