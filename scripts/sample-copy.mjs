/** The copy of the sample module that the workbench edits when it runs from a checkout, so that the sample never changes. */

import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Creates the copy if it does not exist. Its facts are beside it; `projects` is the folder of new projects. */
export function sampleCopy() {
  const home = join(root, '.entail');
  const module = join(home, 'modules/lease.entail');
  if (!existsSync(module)) {
    mkdirSync(join(home, 'modules'), { recursive: true });
    copyFileSync(join(root, 'resources/modules/lease.entail'), module);
  }
  // Earlier versions kept its facts elsewhere.
  const [former, facts] = [join(home, 'data'), join(home, 'modules/.entail')];
  if (existsSync(former) && !existsSync(facts)) renameSync(former, facts);
  return { module, projects: join(home, 'projects'), otherFacts: former };
}
