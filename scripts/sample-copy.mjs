/** The copy of the sample module that the workbench edits where it runs from a checkout, so that the sample stays as it is. */

import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Makes the copy where there is none yet. */
export function sampleCopy() {
  const home = join(root, '.entail');
  const module = join(home, 'modules/lease.entail');
  if (!existsSync(module)) {
    mkdirSync(join(home, 'modules'), { recursive: true });
    copyFileSync(join(root, 'resources/modules/lease.entail'), module);
  }
  return { module, data: join(home, 'data') };
}
