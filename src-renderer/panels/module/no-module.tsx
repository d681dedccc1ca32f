/** The Module panel without a module: what a module is, and how to open one. */

import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Empty } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { focusMainPartIfLost } from '../../ui/lost-focus.js';
import { useLastHeldFiles, useOpenFiles, useSendSources } from '../../workspace/open-module.js';
import styles from './module.module.css';

/** `failure` says why the opened file is not a module. */
export function NoModule({ failure }: { failure: string | undefined }) {
  const open = useOpenFiles();
  const send = useSendSources();
  const lastFiles = useLastHeldFiles();
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <Empty title="No module is open">
      {failure !== undefined && (
        <>
          <p role="alert">{failure}</p>
          <p>
            You can open sources (<code className="mono">.entail</code>, one or several), an artifact (
            <code className="mono">.entail.json</code>), or a repro bundle (<code className="mono">.repro.json</code>).
            {host.kind === 'electron' && ' The menu File, Open Recent lists earlier files.'}
          </p>
        </>
      )}
      <p>A module defines your data, rules and checks, and the calls that clients can make.</p>
      {open === undefined && (
        <p>
          Start the server with its files: <code className="mono">entail serve lease.entail</code>
        </p>
      )}
      <div className={styles.moduleWays}>
        <OpenFiles />
        {send !== undefined && (
          <Button variant="default" onClick={() => void send([FIRST_MODULE])}>
            New module
          </Button>
        )}
        {send !== undefined && lastFiles.length > 0 && (
          <Button variant="default" onClick={() => void send(lastFiles)}>
            Reopen {lastFiles.map(({ file }) => file).join(', ')}
          </Button>
        )}
      </div>
      {send !== undefined && (
        <p className="dim">
          Modules opened here live in memory until the server stops. Your browser keeps a copy of each save.
        </p>
      )}
    </Empty>
  );
}

/** Beside a module that was sent from this page and can be replaced. */
export function ReplaceFiles() {
  const open = useOpenFiles();
  if (useSendSources() === undefined || open === undefined) return null;
  return (
    <Button variant="subtle" color="gray" onClick={() => void open()} title="Replace the open files">
      Open…
    </Button>
  );
}

export function OpenFiles() {
  const open = useOpenFiles();
  return open === undefined ? null : <Button onClick={() => void open()}>Open module files</Button>;
}

/** A starter module with one of each kind of declaration. */
const FIRST_MODULE = {
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
