/** Chooses an individual of a class by its label; an id can be typed too, for what the list does not hold. */

import { Autocomplete } from '@mantine/core';
import { useMemo } from 'react';
import { entityLabel } from '../data/labels.js';
import { shortName } from '../data/locations.js';
import { useIndividuals } from '../data/queries.js';

interface IndividualPickerProps {
  readonly classPath: string;
  /** A reference such as `#i3` or `@lease::acme`, or whatever has been typed so far. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly id?: string;
  readonly error?: string | undefined;
}

export function IndividualPicker({ classPath, value, onChange, label, id, error }: IndividualPickerProps) {
  const individuals = useIndividuals(classPath);
  const { options, labelOf, idOf } = useMemo(() => {
    const list = (individuals.data?.result ?? []).map((entity) => ({ id: entity.$id, text: optionText(entity) }));
    return {
      options: list.map(({ text }) => text),
      labelOf: new Map(list.map(({ id: reference, text }) => [reference, text])),
      idOf: new Map(list.map(({ id: reference, text }) => [text, reference])),
    };
  }, [individuals.data]);
  const className = shortName(classPath);
  const placeholder = individuals.isPending
    ? 'Loading…'
    : individuals.isError
      ? 'The list could not be read; type an id'
      : options.length === 0
        ? `No ${className} yet`
        : `Choose a ${className}`;
  return (
    <Autocomplete
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      placeholder={placeholder}
      data={options}
      limit={50}
      maxDropdownHeight={280}
      value={labelOf.get(value) ?? value}
      onChange={(text) => onChange(idOf.get(text) ?? text)}
      error={error}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

/** The id makes it unique: two people may share a name. */
function optionText(entity: Parameters<typeof entityLabel>[0]): string {
  const label = entityLabel(entity);
  return label === entity.$id ? label : `${label}  ${entity.$id}`;
}
