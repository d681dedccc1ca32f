/** Plays a story in the workbench: shows the caption of each scene, runs its steps, and pauses for the viewer. */

import { expect, type Page } from '@playwright/test';
import type { Scene, Step, Story } from '../../scripts/story.mjs';
import type { Recorder } from './recorder.js';
import { call, createFork, explainTuple, openPanel, openPromotion, promote, writeAtEnd } from './steps.js';

export interface Pace {
  /** Time to read a caption of this length. */
  readonly readMs: (characters: number) => number;
  /** Time to see the effect of a step. */
  readonly lookMs: number;
  /** Time for the pointer to reach its target. */
  readonly pointMs: number;
}

export const AT_ONCE: Pace = { readMs: () => 0, lookMs: 0, pointMs: 1 };

/** Viewers read about 20 characters a second, after a second of orientation. */
export const HUMAN: Pace = { readMs: (characters) => 1_000 + characters * 50, lookMs: 1_200, pointMs: 700 };

export async function tell(page: Page, story: Story, pace: Pace, recorder: Recorder): Promise<void> {
  await page.screencast.showActions({ duration: pace.pointMs, style: { title: 'display: none' } });
  await page.screencast.showChapter(story.title, { duration: Math.max(pace.readMs(story.title.length), 1) });
  for (const scene of story.scenes) await tellScene(page, scene, pace, recorder);
}

async function tellScene(page: Page, scene: Scene, pace: Pace, recorder: Recorder): Promise<void> {
  const caption = await page.screencast.showOverlay(captionOf(scene));
  await page.waitForTimeout(pace.readMs(scene.caption.length));
  for (const step of scene.steps) {
    try {
      await perform(page, step);
    } catch (error) {
      throw new Error(`In the scene "${scene.title}", the step "${step.text}" failed.`, { cause: error });
    }
    await recorder.moment();
    await page.waitForTimeout(pace.lookMs);
  }
  await caption.dispose();
}

async function perform(page: Page, { verb, object, args }: Step): Promise<void> {
  switch (verb) {
    case 'open':
      return await openPanel(page, object);
    case 'press':
      return await press(page, object);
    case 'call':
      return await call(page, object, args);
    case 'explain':
      return await explainTuple(page, object, args);
    case 'fork':
      return await createFork(page, object);
    case 'promote':
      return await promote(await openPromotion(page, object), object);
    case 'write':
      return await writeAtEnd(page, `\n${object}`);
    case 'see':
      return await see(page, object);
  }
}

/** Prefers an exact name, then the innermost tree item with the name, then a partial match. */
async function press(page: Page, name: string): Promise<void> {
  const named = (exact: boolean) =>
    page
      .getByRole('button', { name, exact })
      .or(page.getByRole('link', { name, exact }))
      .or(page.getByRole('option', { name, exact }))
      .first();
  const branch = page.getByRole('treeitem', { name }).last();
  await expect(named(false).or(branch).first()).toBeVisible();
  for (const found of [named(true), branch, named(false)]) {
    if ((await found.count()) > 0) return await found.click();
  }
}

/** Expects the text, and scrolls it into view. */
async function see(page: Page, text: string): Promise<void> {
  const found = page.getByText(text).filter({ visible: true }).first();
  await expect(found).toBeVisible();
  await found.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
}

function captionOf({ title, caption }: Scene): string {
  return `<div style="position: fixed; left: 50%; bottom: 56px; transform: translateX(-50%); width: 900px; padding: 14px 20px; border-radius: 8px; background: rgb(20 22 26 / 92%); color: #fff; font: 18px/1.45 sans-serif; pointer-events: none"><div style="font-size: 14px; opacity: 0.75">${escaped(title)}</div>${escaped(caption)}</div>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
