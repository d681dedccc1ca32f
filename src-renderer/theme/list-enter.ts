/**
 * Enter in a field with options: while the list is open, Enter takes the highlighted option and closes it, and never submits the
 * form.
 */

import { type KeyboardEvent, useState } from 'react';

/** For Mantine's `Select`, `MultiSelect` and `Autocomplete`, which submit the form if no option is highlighted. */
export function useListEnter() {
  const [dropdownOpened, setOpened] = useState(false);
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => setOpened(false),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || optionsOf(event.currentTarget) === undefined)
        return;
      // Mantine ignores `defaultPrevented` and still takes the highlighted option.
      event.preventDefault();
      setOpened(false);
    },
  };
}

/** Enter takes the first match, so exact matches come first. */
export function exactFirst<Option extends object>(options: readonly Option[], search: string): Option[] {
  const wanted = search.trim().toLowerCase();
  const isExact = (option: Option): boolean => 'label' in option && String(option.label).toLowerCase() === wanted;
  return [...options.filter(isExact), ...options.filter((option) => !isExact(option))];
}

/** The visible option list. A list without matches counts as open but is not rendered. */
export function optionsOf(field: HTMLElement): HTMLElement | undefined {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role="option"]') == null ? undefined : list;
}
