/** Chooses an individual of a class by its label; an id can be typed too, for what the list does not hold. */

import { Autocomplete, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Entity } from '../../src-runtime/api/schemas.js';
import { entityLabel, looksLikeReference } from '../data/labels.js';
import { shortName } from '../data/locations.js';
import { useFoundIndividuals, useIndividual, useIndividuals } from '../data/queries.js';

/** How long after the last key the server is asked. */
const TYPING_MS = 200;

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
  const { further, isLooking } = useFurther(classPath, value, individuals.data?.nextCursor !== undefined);
  const { options, labelOf, idOf } = useMemo(() => {
    const known = [...(individuals.data?.result ?? []), ...further];
    const list = known.map((entity) => ({ id: entity.$id, text: optionText(entity) }));
    return {
      options: [...new Set(list.map(({ text }) => text))],
      labelOf: new Map(list.map(({ id: reference, text }) => [reference, text])),
      idOf: new Map(list.map(({ id: reference, text }) => [text, reference])),
    };
  }, [individuals.data, further]);
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
      rightSection={isLooking ? <Loader size={12} aria-label="Looking" /> : undefined}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

const NONE: readonly Entity[] = [];

/** Of a class that is not known whole: those that what is typed is found in, and the one that is chosen. */
function useFurther(
  classPath: string,
  value: string,
  isCut: boolean,
): { readonly further: readonly Entity[]; readonly isLooking: boolean } {
  const [typed] = useDebouncedValue(value.trim(), TYPING_MS);
  const isId = looksLikeReference(typed);
  const found = useFoundIndividuals(classPath, typed, isCut && typed !== '' && !isId);
  const chosen = useIndividual(typed, isCut && isId);
  const further = useMemo(() => {
    if (!isCut) return NONE;
    return [...(found.data?.result ?? []), ...(chosen.data === undefined ? [] : [chosen.data])];
  }, [isCut, found.data, chosen.data]);
  return { further, isLooking: found.isFetching };
}

/** The id makes it unique: two people may share a name. */
function optionText(entity: Parameters<typeof entityLabel>[0]): string {
  const label = entityLabel(entity);
  return label === entity.$id ? label : `${label}  ${entity.$id}`;
}
