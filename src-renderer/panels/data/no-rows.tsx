/** The empty state of a list: possible reasons and next steps. */

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
  /** Absent if rows cannot be added. */
  readonly onAdd: (() => void) | undefined;
}

export function NoRows({ info, schema, isNarrowed, onAdd }: NoRowsProps) {
  const name = shortName(info.path);
  if (isNarrowed) {
    return (
      <Empty title="No matches">
        <p>
          The filter hides all rows of {name}.{' '}
          <Link className="link" to={dataLocation(info.path)}>
            Show all
          </Link>
        </p>
      </Empty>
    );
  }
  const isDerived = info.kind === 'derived' || info.kind === 'define' || info.kind === 'check';
  if (isDerived) {
    return (
      <Empty title="No conclusions yet">
        <p>
          <Link className="link" to={explainLocation(info.path)}>
            Why not…?
          </Link>{' '}
          See why a fact is missing.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No facts yet">
      {onAdd !== undefined && (
        <p>
          <button type="button" className="plain link" onClick={onAdd}>
            Add a row
          </button>
        </p>
      )}
      <WritersOf info={info} schema={schema} />
    </Empty>
  );
}

/** Calls that create rows here, by name; at most a few. */
function WritersOf({ info, schema }: WritersProps) {
  const writers = writersOf(schema, info.path).slice(0, WRITERS_MAX);
  if (writers.length === 0) {
    return (
      <p>
        No public mutation writes to it.{' '}
        <Link className="link" to={moduleLocation(info.span)}>
          Create one
        </Link>
        , or <ImportLink info={info} />.
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
      , or <ImportLink info={info} />.
    </p>
  );
}

function ImportLink({ info }: Pick<WritersProps, 'info'>) {
  return (
    <Link className="link" to={importLocation(info.path)}>
      import a CSV or JSON file
    </Link>
  );
}

const WRITERS_MAX = 3;
