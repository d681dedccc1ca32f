/** What the switch of environments offers. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';

/** Those that can be chosen, and those that could if their files could be read. The chosen one is known before its file is listed. */
export function environmentOptions(environments: readonly Environment[], selected: string) {
  const isListed = selected === '' || environments.some(({ name }) => name === selected);
  return [
    ...(isListed ? [] : [{ value: selected, label: selected, disabled: false }]),
    ...environments.map(({ name, problem }) => ({
      value: name,
      label: problem === undefined ? name : `${name} (unreadable)`,
      disabled: problem !== undefined,
    })),
  ];
}
