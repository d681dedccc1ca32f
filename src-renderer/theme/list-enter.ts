/**
 * Enter in a field with an option list. While options are in sight, Enter belongs to the list: it takes the highlighted one and closes the
 * list. It never submits the form around the field.
 */

import { type KeyboardEvent, useState } from 'react';

/** For a Mantine `Select`, `MultiSelect` or `Autocomplete`, which submit the form while no option is highlighted. */
export function useListEnter() {
  const [dropdownOpened, setOpened] = useState(false);
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => setOpened(false),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || optionsOf(event.currentTarget) === undefined)
        return;
      // Mantine still takes what is highlighted: it does not ask whether the default was prevented.
      event.preventDefault();
      setOpened(false);
    },
  };
}

/** Enter takes the first option that is found, so an exact match comes before the others. */
export function exactFirst<Option extends object>(options: readonly Option[], search: string): Option[] {
  const wanted = search.trim().toLowerCase();
  const isExact = (option: Option): boolean => 'label' in option && String(option.label).toLowerCase() === wanted;
  return [...options.filter(isExact), ...options.filter((option) => !isExact(option))];
}

/** The list of a field while it shows options. A list in which nothing was found counts as open, but is not drawn. */
export function optionsOf(field: HTMLElement): HTMLElement | undefined {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role="option"]') == null ? undefined : list;
}
