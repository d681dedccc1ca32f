/** Restores, checks and repairs folders of facts in a thread, so that windows and menus go on. */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { pino } from 'pino';
import { findProject } from '../../src-runtime/project/find-project.js';
import {
  checkData,
  dataInfo,
  findingsOf,
  foundIn,
  type NextProject,
  openModuleSource,
  repairData,
  restoreProject,
  type SourceFile,
} from '../../src-runtime/server/index.js';
import type { DataReply, DataResults, DataTask } from './worker-messages.js';

/** Replies to the main process, and ends the thread. */
export async function runTask(task: DataTask, port: MessagePort): Promise<void> {
  const reply = await resultOf(task).then(
    (result): DataReply => ({ kind: 'done', result }),
    (error: unknown): DataReply => ({
      kind: 'failed',
      message: error instanceof Error ? `${error.message.replace(/\.$/, '')}.` : String(error),
    }),
  );
  port.postMessage(reply);
  port.close();
}

const silent = pino({ level: 'silent' });

async function resultOf(task: DataTask): Promise<DataResults[DataTask['task']]> {
  switch (task.task) {
    case 'restore': {
      const { backup, folder } = task;
      const sources = await sourcesOf(task.sources);
      return await restoreProject(folder, sources, createReadStream(backup), basename(backup), silent);
    }
    case 'check': {
      const report = await checkData(task.folder, undefined, silent);
      const { files } = await dataInfo(task.folder, silent);
      return {
        findings: findingsOf(report),
        isDamaged: report.damage.length > 0,
        files: files.length,
        facts: report.scopes?.reduce((sum, { facts }) => sum + facts, 0),
      };
    }
    case 'repair': {
      const { counts, lost } = await repairData(task.folder, task.into, silent);
      return { ...counts, lost: lost.map(({ problem }) => foundIn(problem)) };
    }
  }
}

async function sourcesOf({ paths, texts = [] }: NextProject): Promise<readonly SourceFile[]> {
  const sources = paths === undefined ? texts : await openModuleSource((await findProject(paths)).files).read();
  if (sources.length === 0) throw new Error('An artifact has no sources. Open the sources of its module first.');
  return sources;
}
