/** Modules to start from: the samples, which are loaded when one is opened, and a small first module. */

import type { SourceFile } from '../server-state/api.js';
import { createProject } from './open-project.js';

export interface Sample {
  /** Its module name. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
}

/** The first is the one of the tour. */
export const SAMPLES: readonly Sample[] = [
  { name: 'lease', about: 'A small landlord: leases, rents, and who is liable for them.' },
  { name: 'access', about: 'Access rights through nested groups, folders and roles.' },
  { name: 'licences', about: 'Open-source licences of a product and its dependencies.' },
  { name: 'supply', about: 'What a bicycle is made of, what it costs, and which parts are recalled.' },
  { name: 'transit', about: 'Trams, trains and ferries of a town, their fares, and the fastest connections.' },
  { name: 'pointsto', about: 'Which objects a variable of a Java program can hold.' },
];

const TEXTS = import.meta.glob<string>('../../resources/modules/*.entail', { query: '?raw', import: 'default' });

/** Opens a copy of a sample. */
export async function openSample(name: string): Promise<void> {
  const text = await TEXTS[`../../resources/modules/${name}.entail`]?.();
  if (text !== undefined) await createProject([{ file: `${name}.entail`, text }]);
}

/** A starter module with one of each kind of declaration. */
export const FIRST_MODULE: SourceFile = {
  file: 'first.entail',
  text: `module first

/// A task to do.
pub concept Task {
  title: Text
  done: Bool = false
}

/// The first task must be done before the second.
pub relation before(first: Task, second: Task)

/// All earlier tasks are done.
pub derive ready(t: Task) when Task(t), not t.done, not waiting(t)
derive waiting(t: Task) when before(other, t), not other.done

pub check inCycle(t: Task)
  when precedes(t, t)
  severity blocking
  message "{t.title} cannot wait for itself"
derive precedes(a: Task, b: Task) when before(a, b)
derive precedes(a: Task, b: Task) when precedes(a, x), before(x, b)

pub query todo() -> [Task] { select t where ready(t) order by t.title }

pub mutation add(title: Text where length(value) > 0, after: Task?) -> Task {
  let t = insert Task { title: title }
  if exists(after) { insert before(after, t) }
  return t
}

pub mutation finish(task: Task) { set task.done = true }

test "a task waits for the one before it" {
  let plan = add("plan")
  let build = add("build", plan)
  expect ready(plan)
  expect not ready(build)
  finish(plan)
  expect ready(build)
}
`,
};
