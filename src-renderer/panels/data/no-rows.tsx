/** What a list says that has no rows: why that may be, and what is done to have some. */

import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { Empty } from '../../domain/failure/states.js';
import {
  dataLocation,
  explainLocation,
  invokeLocation,
  moduleLocation,
  shortName,
} from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { writersOf } from './import/import-choice.js';
import { importLocation } from './import/import-location.js';

interface WritersProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
}

interface NoRowsProps extends WritersProps {
  readonly isNarrowed: boolean;
  /** Absent where nothing can be added. */
  readonly onAdd: (() => void) | undefined;
}

export function NoRows({ info, schema, isNarrowed, onAdd }: NoRowsProps) {
  const name = shortName(info.path);
  if (isNarrowed) {
    return (
      <Empty title="Nothing fits">
        <p>
          No row of {name} fits the filter.{' '}
          <Link className="link" to={dataLocation(info.path)}>
            Show all rows
          </Link>
        </p>
      </Empty>
    );
  }
  const isDerived = info.kind === 'derived' || info.kind === 'define' || info.kind === 'check';
  if (isDerived) {
    return (
      <Empty title="Nothing follows here yet">
        <p>
          <Link className="link" to={explainLocation(info.path)}>
            Ask about a tuple
          </Link>{' '}
          to see why it does not hold.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is stored here yet">
      {onAdd !== undefined && (
        <p>
          <button type="button" className="plain link" onClick={onAdd}>
            Write the first row
          </button>{' '}
          here.
        </p>
      )}
      <WritersOf info={info} schema={schema} />
    </Empty>
  );
}

/** What is called to have rows here, each by its name; of many the first few. */
function WritersOf({ info, schema }: WritersProps) {
  const writers = writersOf(schema, info.path).slice(0, WRITERS_MAX);
  if (writers.length === 0) {
    return (
      <p>
        The module has no public mutation that adds to it.{' '}
        <Link className="link" to={moduleLocation(info.span)}>
          Declare one
        </Link>
        , and save it.
      </p>
    );
  }
  return (
    <p>
      Call{' '}
      {writers.map(({ mutation: { path } }, index) => (
        <span key={path}>
          {index > 0 && ' or '}
          <Link className="link" to={invokeLocation(path)}>
            {shortName(path)}
          </Link>
        </span>
      ))}
      , or{' '}
      <Link className="link" to={importLocation(info.path)}>
        give it rows
      </Link>{' '}
      of a CSV or JSON file.
    </p>
  );
}

const WRITERS_MAX = 3;
