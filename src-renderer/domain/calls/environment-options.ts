/** The options of the environment switch. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';

/** All environments; those with an unreadable file are disabled. The selected one may be known before its file is listed. */
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
