/** The address of the import that a list leads to. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';

/** With the mutation that rows of this class are given to, where there is just one that makes such individuals. */
export function importLocation({ mutations }: Pick<ServedSchema, 'mutations'>, path: string): string {
  const makers = importable(mutations).filter(({ result }) => result?.kind === 'class' && result.path === path);
  const [only] = makers.length === 1 ? makers : [];
  return `/data?${new URLSearchParams({ import: only?.path ?? '' }).toString()}`;
}

/** The mutations that take rows from callers. */
export function importable(mutations: ServedSchema['mutations']): ServedSchema['mutations'] {
  return mutations.filter((mutation) => mutation.public && mutation.parameters.length > 0);
}
