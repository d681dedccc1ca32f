/** The fields that say where the rows of an import go, and how. */

import { Select } from '@mantine/core';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { namesOf, shortName } from '../../../model/facts/locations.js';
import styles from '../import.module.css';
import { importable, type Taker, type Writer } from './import-choice.js';
import { INSERTING } from './import-location.js';

interface ListSelectProps {
  readonly schema: ServedSchema;
  readonly into: string;
  readonly onSelect: (path: string) => void;
}

/** Derived lists and fields take no rows; one is shown only if the import was opened from it. */
export function ListSelect({ schema, into, onSelect }: ListSelectProps) {
  const concepts = schema.concepts.map(({ path }) => path);
  const relations = schema.relations.flatMap(({ path, kind }) => (kind === 'stored' ? [path] : []));
  const others = into === '' || [...concepts, ...relations].includes(into) ? [] : [into];
  const nameOf = namesOf([...concepts, ...relations, ...others]);
  const optionOf = (path: string) => ({ value: path, label: nameOf(path) });
  return (
    <Select
      className={styles.importField}
      label="Into"
      placeholder="Choose a concept or relation"
      searchable
      data={[
        { group: 'Concepts', items: concepts.map(optionOf) },
        { group: 'Stored relations', items: relations.map(optionOf) },
        { group: 'Other lists', items: others.map(optionOf) },
      ].filter(({ items }) => items.length > 0)}
      value={into === '' ? null : into}
      allowDeselect={false}
      onChange={(path) => onSelect(path ?? '')}
    />
  );
}

interface TakerSelectProps {
  readonly schema: ServedSchema;
  readonly into: string;
  readonly writers: readonly Writer[];
  /** Absent if rows cannot be inserted. */
  readonly direct: Taker | undefined;
  readonly taker: Taker | undefined;
  readonly onSelect: (through: string) => void;
}

export function TakerSelect({ schema, into, writers, direct, taker, onSelect }: TakerSelectProps) {
  const mutations = importable(schema.mutations);
  const nameOf = namesOf(mutations.map(({ path }) => path));
  const isWriter = new Set(writers.map(({ mutation }) => mutation));
  const optionOf = ({ path }: ServedSchema['mutations'][number]) => ({ value: path, label: `call ${nameOf(path)}` });
  const insert = { value: INSERTING, label: `insert into ${shortName(into)}` };
  return (
    <Select
      className={styles.importField}
      label="For each row"
      placeholder="Choose what takes the rows"
      searchable
      data={[
        { group: 'Without a mutation', items: direct === undefined ? [] : [insert] },
        { group: `Writes ${shortName(into)}`, items: writers.map(({ mutation }) => optionOf(mutation)) },
        { group: 'Other mutations', items: mutations.filter((each) => !isWriter.has(each)).map(optionOf) },
      ].filter(({ items }) => items.length > 0)}
      value={taker === undefined ? null : (taker.target.mutation ?? INSERTING)}
      allowDeselect={false}
      onChange={(through) => onSelect(through ?? '')}
    />
  );
}
