/**
 * A demo tells its story from the first scene to the last. As a test without pauses, and recorded for a scene only; as `npm run
 * demo` runs it, at a pace to follow and recorded.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStory } from '../scripts/story.mjs';
import { NO_RECORDER, record, recordPictures } from './support/recorder.js';
import { expect, test } from './support/served-workbench.js';
import { AT_ONCE, HUMAN, tell } from './support/teller.js';
import { repository } from './support/temporary-folder.js';

const shown = process.env['ENTAIL_DEMO_FOLDER'];
const story = readStory(process.env['ENTAIL_DEMO_STORY'] ?? join(repository, 'e2e/demos/lease.md'));

/** Its first scene. */
const opening = { ...story, scenes: story.scenes.slice(0, 1) };

/** What every WebM file begins with. */
const EBML = Buffer.from('1a45dfa3', 'hex');

// Captions stand over the page with styles of their own, which the page's policy would refuse. Nothing here is in a hurry.
test.use({
  actionTimeout: 30_000,
  modules: story.modules,
  bypassCSP: true,
});

test(`the story of ${story.name} is told to its end`, async ({ page, browser, workbench }) => {
  test.setTimeout(shown === undefined ? 300_000 : 15 * 60_000);
  await page.goto(workbench.address);
  await expect(page.getByText('Connected')).toBeVisible();
  if (shown === undefined) return await tell(page, story, AT_ONCE, NO_RECORDER);
  // Ten are enough for a pointer and for text.
  const recorder = await record(page, browser, { folder: shown, name: story.name, framesPerSecond: 10 });
  await tell(page, story, HUMAN, recorder);
  await recorder.finish();
});

test('what is told is recorded as a video', async ({ page, browser, workbench }, info) => {
  await page.goto(workbench.address);
  const folder = info.outputPath('demo');
  const recorder = await record(page, browser, { folder, name: story.name, framesPerSecond: 1 });
  await tell(page, opening, AT_ONCE, recorder);
  const file = await recorder.finish();
  expect(file).toBe(join(folder, `${story.name}.webm`));
  expect(readFileSync(file).subarray(0, 4)).toEqual(EBML);
  expect(statSync(file).size).toBeGreaterThan(20_000);
});

test('where no video can be made, every step leaves a numbered picture', async ({ page, workbench }, info) => {
  await page.goto(workbench.address);
  const folder = info.outputPath('pictures');
  await tell(page, opening, AT_ONCE, recordPictures(page, { folder, name: story.name }));
  expect(readdirSync(folder)).toEqual(opening.scenes[0]?.steps.map((_step, index) => `lease-0${index + 1}.png`));
});
