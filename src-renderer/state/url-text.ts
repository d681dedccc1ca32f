/** A text kept in the panel's address, such as a filter. Typing replaces the history entry; an empty text removes the parameter. */

import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export function useUrlText(parameter: string): [string, (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (text: string) =>
      setSearch(
        (current) => {
          if (text === '') current.delete(parameter);
          else current.set(parameter, text);
          return current;
        },
        { replace: true },
      ),
    [parameter, setSearch],
  );
  return [search.get(parameter) ?? '', set];
}
