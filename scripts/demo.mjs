/**
 * `npm run demo`: plays a story in the workbench at a readable pace and records it as a video; `-- FILE` plays your own story
 * (docs/demos.md). It runs on the runner of the end-to-end tests, so that a demo and a test work in the same way.
 */

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { buildIfNeeded } from './build-if-needed.mjs';
import { hasDisplay } from './electron-binary.mjs';
import { readStory } from './story.mjs';
import { chromiumOptions } from './system-chromium.mjs';
import { openStudio } from './video-studio.mjs';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { headed: { type: 'boolean' }, output: { type: 'string' } },
});
const file = resolve(positionals[0] ?? join(root, 'e2e/demos/lease.md'));

try {
  process.exitCode = await demo(readStory(file));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * @param {import('./story.mjs').Story} story
 * @returns {Promise<number>} the code to end with
 */
async function demo(story) {
  const folder = resolve(values.output ?? join(root, '.entail/demos', story.name));
  const records = await recordsVideo();
  if (records === undefined) {
    console.error('There is no Chromium here to show it in. Install one, or name one in ENTAIL_CHROMIUM.');
    return 1;
  }
  if (!records) console.log('This Chromium encodes no video: numbered pictures are kept instead.');
  if (!buildIfNeeded()) return 1;
  const headed = values.headed || (!records && hasDisplay());
  const runner = join(root, 'node_modules/@playwright/test/cli.js');
  const args = [runner, 'test', '--project=demo', ...(headed ? ['--headed'] : [])];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ENTAIL_DEMO_STORY: file, ENTAIL_DEMO_FOLDER: folder },
  });
  console.log(
    status === 0 ? `The recording is in ${folder}.` : `The story stopped. Its recording up to there is in ${folder}.`,
  );
  return status ?? 1;
}

/** Undefined if no Chromium is found. */
async function recordsVideo() {
  const browser = await chromium.launch(chromiumOptions()).catch(() => undefined);
  if (browser === undefined) return undefined;
  const studio = await openStudio(browser);
  await browser.close();
  return studio !== undefined;
}
