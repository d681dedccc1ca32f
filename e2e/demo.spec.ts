/**
 * Plays the story of a demo from the first scene to the last. The test has no pauses and records one scene only; `npm run demo`
 * plays at a readable pace and records all scenes.
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

/** The first scene of the story. */
const opening = { ...story, scenes: story.scenes.slice(0, 1) };

/** The first bytes of every WebM file. */
const EBML = Buffer.from('1a45dfa3', 'hex');

/** Prints nothing. */
const quiet = (): void => undefined;

test.use({
  // `npm run demo` has no timeouts: a step may take as long as the page works.
  actionTimeout: shown === undefined ? 30_000 : 0,
  modules: story.modules,
  // Captions have inline styles, which the page's policy forbids.
  bypassCSP: true,
});

test.beforeEach(async ({ page }) => {
  // A story shows the workbench without the offer of the tour.
  await page.addInitScript(() => localStorage.setItem('entail.tour', '{"state":"dismissed","startedAt":0,"met":[]}'));
});

test(`plays the story of ${story.name} to the end`, async ({ page, browser, workbench }) => {
  test.setTimeout(shown === undefined ? 300_000 : 0);
  await page.goto(workbench.address);
  await expect(page.getByText('Connected')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Tour' })).toHaveCount(0);
  if (shown === undefined) {
    return await tell(page, story, { pace: AT_ONCE, recorder: NO_RECORDER, report: quiet });
  }
  const report = (line: string): void => void process.stdout.write(`${line}\n`);
  // Ten frames per second are enough for a pointer and for text.
  const recorder = await record(page, browser, { folder: shown, name: story.name, framesPerSecond: 10, report });
  await tell(page, story, { pace: HUMAN, recorder, report });
});

test('records a story as a video, and reports the progress', async ({ page, browser, workbench }, info) => {
  await page.goto(workbench.address);
  const folder = info.outputPath('demo');
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const recorder = await record(page, browser, { folder, name: story.name, framesPerSecond: 1, report });
  await tell(page, opening, { pace: AT_ONCE, recorder, report });
  const file = join(folder, `${story.name}.webm`);
  expect(lines[0]).toBe('scene 1 of 1: The rules of a small landlord');
  expect(lines[1]).toMatch(/^encoding frame 1 of \d+$/);
  expect(lines.at(-1)).toBe(`saved ${file}`);
  expect(readFileSync(file).subarray(0, 4)).toEqual(EBML);
  expect(statSync(file).size).toBeGreaterThan(20_000);
});

test('names a step that failed, and keeps the video', async ({ page, browser, workbench }, info) => {
  await page.goto(workbench.address);
  const folder = info.outputPath('demo');
  const recorder = await record(page, browser, { folder, name: story.name, framesPerSecond: 1, report: quiet });
  const [scene = { title: '', caption: '' }] = story.scenes;
  const failing = {
    ...story,
    scenes: [{ ...scene, steps: [{ verb: 'see', object: 'Nowhere', args: {}, text: 'see Nowhere' }] as const }],
  };
  const pace = { ...AT_ONCE, idleMaxMs: 500 };
  await expect(tell(page, failing, { pace, recorder, report: quiet })).rejects.toThrow(
    'In scene 1 of 1 ("The rules of a small landlord"), the step "see Nowhere" failed.',
  );
  expect(readFileSync(join(folder, `${story.name}.webm`)).subarray(0, 4)).toEqual(EBML);
});

test('shows captions below the page without covering it', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  const heights: number[] = [];
  const moment = async (): Promise<void> => {
    heights.push(await page.evaluate(() => innerHeight - document.body.getBoundingClientRect().bottom));
  };
  await tell(page, opening, { pace: AT_ONCE, recorder: { ...NO_RECORDER, moment }, report: quiet });
  // The height of a title and two lines.
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(98);
});

test('saves a numbered screenshot of each step if no video can be recorded', async ({ page, workbench }, info) => {
  await page.goto(workbench.address);
  const folder = info.outputPath('pictures');
  const recorder = recordPictures(page, { folder, name: story.name });
  await tell(page, opening, { pace: AT_ONCE, recorder, report: quiet });
  expect(readdirSync(folder)).toEqual(opening.scenes[0]?.steps.map((_step, index) => `lease-0${index + 1}.png`));
});
