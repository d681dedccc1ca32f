/** Maps the columns of a file to parameters: for each its column, and the key field for its references. */

import { Select } from '@mantine/core';
import { useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ParsedFile } from '../../../../src-runtime/api/tables/import-file.js';
import { type Keys, keyFields, type Mapping, type Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { typeText } from '../../../model/facts/type-text.js';
import styles from '../import.module.css';

interface ImportMappingProps {
  readonly schema: ServedSchema;
  readonly parameters: readonly Parameter[];
  readonly file: ParsedFile;
  readonly mapping: Mapping;
  readonly keys: Keys;
  readonly onColumn: (name: string, column: string | null) => void;
  readonly onKey: (name: string, field: string | null) => void;
  readonly isAsked: boolean;
}

export function ImportMapping(props: ImportMappingProps) {
  const { schema, parameters, file, mapping, keys, onColumn, onKey, isAsked } = props;
  return (
    <section aria-label="Columns" className={styles.importMapping}>
      <h3>Map columns</h3>
      {parameters.map((parameter) => (
        <MappingLine
          key={parameter.name}
          parameter={parameter}
          columns={file.columns}
          column={mapping[parameter.name] ?? null}
          onChange={(column) => onColumn(parameter.name, column)}
          fields={keyFields(schema, parameter.type).map((field) => field.name)}
          named={keys[parameter.name] ?? null}
          onName={(key) => onKey(parameter.name, key)}
          isAsked={isAsked}
        />
      ))}
    </section>
  );
}

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
  /** The user has asked for the import, so a missing column is an error. */
  readonly isAsked: boolean;
}

function MappingLine(props: MappingLineProps) {
  const { parameter, columns, column, onChange, fields, named, onName, isAsked } = props;
  const [isTouched, setTouched] = useState(false);
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
        error={required && column === null && (isAsked || isTouched) ? 'Choose a column' : undefined}
        onBlur={() => setTouched(true)}
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
