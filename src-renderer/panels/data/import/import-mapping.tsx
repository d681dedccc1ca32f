/** One parameter of an import: its column, and the key field for its references. */

import { Select } from '@mantine/core';
import type { Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { typeText } from '../../../model/facts/type-text.js';
import styles from '../import.module.css';

interface MappingLineProps {
  readonly parameter: Parameter;
  readonly columns: readonly string[];
  readonly column: string | null;
  readonly onChange: (column: string | null) => void;
  /** The concept of its references; undefined for values. */
  readonly fields: readonly string[];
  /** The key field; null for ids. */
  readonly named: string | null;
  readonly onName: (field: string | null) => void;
}

export function MappingLine(props: MappingLineProps) {
  const { parameter, columns, column, onChange, fields, named, onName } = props;
  const { name, type, required, refinement } = parameter;
  return (
    <div className={styles.importMapped}>
      <span>
        {name} <span className="mono dim">{typeText(type)}</span>
        {refinement !== undefined && <span className="mono dim"> where {refinement}</span>}
      </span>
      <Select
        aria-label={`Column for ${name}`}
        data={[...new Set(columns)].filter((each) => each !== '')}
        value={column}
        placeholder={required ? 'Select a column' : 'not imported'}
        clearable={!required}
        clearButtonProps={{ 'aria-label': `Clear column for ${name}` }}
        error={required && column === null ? 'Choose a column' : undefined}
        onChange={onChange}
      />
      {fields.length > 0 && column !== null && (
        <Select
          aria-label={`Identify ${name} by`}
          data={[BY_ID, ...fields.map((field) => ({ value: field, label: `by ${field}` }))]}
          value={named ?? BY_ID.value}
          allowDeselect={false}
          onChange={(field) => onName(field === BY_ID.value ? null : field)}
        />
      )}
    </div>
  );
}

/** No field has an empty name. */
const BY_ID = { value: '', label: 'by id' };
