/**
 * A demo tells its story from the first scene to the last. As a test without pauses; as `npm run demo` runs it, at a pace to
 * follow, and recorded where that asks for it.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStory } from '../scripts/story.mjs';
import { record, recordPictures } from './support/recorder.js';
import { expect, test } from './support/served-workbench.js';
import { AT_ONCE, HUMAN, tell } from './support/teller.js';
import { repository } from './support/temporary-folder.js';

const shown = process.env['ENTAIL_DEMO_FOLDER'];
const story = readStory(process.env['ENTAIL_DEMO_STORY'] ?? join(repository, 'e2e/demos/lease.md'));

/** What every WebM file begins with. */
const EBML = Buffer.from('1a45dfa3', 'hex');

// Captions stand over the page with styles of their own, which the page's policy would refuse. Nothing here is in a hurry. A trace
// would take pictures of its own.
test.use({
  actionTimeout: 30_000,
  modules: story.modules,
  bypassCSP: true,
  trace: 'off',
});

test(`the story of ${story.name} is told to its end and recorded`, async ({ page, browser, workbench }, info) => {
  const folder = shown ?? info.outputPath('demo');
  test.setTimeout(shown === undefined ? 300_000 : 15 * 60_000);
  await page.goto(workbench.address);
  await expect(page.getByText('Connected')).toBeVisible();
  // Ten are enough for a pointer and for text.
  const recorder = await record(page, browser, {
    folder,
    name: story.name,
    framesPerSecond: shown === undefined ? 1 : 10,
  });
  await tell(page, story, shown === undefined ? AT_ONCE : HUMAN, recorder);
  const file = await recorder.finish();
  if (shown !== undefined) return;
  expect(file).toBe(join(folder, `${story.name}.webm`));
  expect(readFileSync(file).subarray(0, 4)).toEqual(EBML);
  expect(statSync(file).size).toBeGreaterThan(100_000);
});

test('where no video can be made, every step leaves a numbered picture', async ({ page, workbench }, info) => {
  const [scene] = story.scenes;
  await page.goto(workbench.address);
  const folder = info.outputPath('pictures');
  const short = { ...story, scenes: scene === undefined ? [] : [scene] };
  await tell(page, short, AT_ONCE, recordPictures(page, { folder, name: story.name }));
  expect(readdirSync(folder)).toEqual(scene?.steps.map((_step, index) => `lease-0${index + 1}.png`));
});
