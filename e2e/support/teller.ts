/** Plays a story in the workbench: shows the caption of each scene, runs its steps, and pauses for the viewer. */

import { expect, type Page, type Request } from '@playwright/test';
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
  /** A step may take as long as the page works. It fails if the page neither changes nor loads anything for this long. */
  readonly idleMaxMs: number;
}

export const AT_ONCE: Pace = { readMs: () => 0, lookMs: 0, pointMs: 1, idleMaxMs: 10_000 };

/** Viewers read about 20 characters a second, after a second of orientation. */
export const HUMAN: Pace = {
  readMs: (characters) => 1_000 + characters * 50,
  lookMs: 1_200,
  pointMs: 700,
  idleMaxMs: 30_000,
};

interface Playback {
  readonly pace: Pace;
  readonly recorder: Recorder;
  /** Prints a line of progress. */
  readonly report: (line: string) => void;
}

/** Saves the recording whether or not all steps succeed. */
export async function tell(page: Page, story: Story, playback: Playback): Promise<void> {
  const { pace, recorder, report } = playback;
  try {
    await makeRoom(page, story);
    await page.screencast.showActions({ duration: pace.pointMs, style: { title: 'display: none' } });
    const opening = await page.screencast.showOverlay(captionOf({ title: '', caption: story.title }));
    await page.waitForTimeout(pace.readMs(story.title.length));
    await opening.dispose();
    const work = watchedWork(page);
    for (const [index, scene] of story.scenes.entries()) {
      const place = `scene ${index + 1} of ${story.scenes.length}`;
      report(`${place}: ${scene.title}`);
      await playScene(page, scene, place, work, playback);
    }
  } finally {
    const file = await recorder.finish();
    if (file !== '') report(`saved ${file}`);
  }
}

async function playScene(
  page: Page,
  scene: Scene,
  place: string,
  work: Work,
  { pace, recorder }: Playback,
): Promise<void> {
  const caption = await page.screencast.showOverlay(captionOf(scene));
  await page.waitForTimeout(pace.readMs(scene.caption.length));
  for (const step of scene.steps) {
    try {
      await work.whileBusy(perform(page, step), pace.idleMaxMs);
    } catch (error) {
      // The recording ends with what can be seen where the step failed.
      await recorder.moment();
      throw new Error(`In ${place} ("${scene.title}"), the step "${step.text}" failed.`, { cause: error });
    }
    await recorder.moment();
    await page.waitForTimeout(pace.lookMs);
  }
  await caption.dispose();
}

interface Work {
  /** The result of an action; rejects once the page has been idle for too long, because nothing will change any more. */
  whileBusy(action: Promise<void>, idleMaxMs: number): Promise<void>;
}

function watchedWork(page: Page): Work {
  const pending = new Set<Request>();
  const settle = (request: Request): void => {
    pending.delete(request);
  };
  page.on('request', (request) => {
    // The live stream never ends.
    if (!new URL(request.url()).pathname.endsWith('/v1/events')) pending.add(request);
  });
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  return {
    async whileBusy(action, idleMaxMs) {
      const changes = await page.evaluateHandle(() => {
        let lastMs = performance.now();
        const observer = new MutationObserver(() => {
          lastMs = performance.now();
        });
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
        return { idleMs: () => performance.now() - lastMs, end: () => observer.disconnect() };
      });
      let isDone = false;
      const idle = async (): Promise<void> => {
        while (!isDone) {
          await page.waitForTimeout(100);
          const idleMs = await changes.evaluate(({ idleMs }) => idleMs());
          if (!isDone && pending.size === 0 && idleMs > idleMaxMs) {
            throw new Error(`The page has not changed for ${idleMaxMs / 1_000} s.`);
          }
        }
      };
      // The promise that loses the race may reject later, which must not count as unhandled.
      const watching = idle();
      for (const promise of [action, watching]) promise.catch(() => undefined);
      try {
        await Promise.race([action, watching]);
      } finally {
        isDone = true;
        await changes.evaluate(({ end }) => end()).catch(() => undefined);
      }
    },
  };
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

/** Ends the page, its menus and its sheets above the captions: `transform` makes `body` their containing block. */
async function makeRoom(page: Page, { scenes }: Story): Promise<void> {
  const longest = Math.max(...scenes.map(({ caption }) => caption.length));
  const room = 46 + LINE_HEIGHT * Math.max(2, Math.ceil(longest / LINE_CHARACTERS));
  await page.addStyleTag({
    content: `html { background: ${STRIP_COLOUR} } body { height: calc(100vh - ${room}px) !important; overflow: hidden; transform: translateY(0) }`,
  });
}

/** Line height of captions, in pixels. */
const LINE_HEIGHT = 26;
/** Characters that fit in a line of a caption at least. */
const LINE_CHARACTERS = 110;
const STRIP_COLOUR = '#14161a';

/** In the strip below the page, in the page's font. */
function captionOf({ title, caption }: Pick<Scene, 'title' | 'caption'>): string {
  return `<div style="position: fixed; left: 50%; bottom: 12px; transform: translateX(-50%); width: 1100px; max-width: 96vw; color: #fff; font: 18px/${LINE_HEIGHT}px 'Inter Variable', system-ui, sans-serif; text-align: left; pointer-events: none"><div style="font-size: 14px; line-height: 20px; opacity: 0.75">${escaped(title)}</div><div style="min-height: ${2 * LINE_HEIGHT}px">${escaped(caption)}</div></div>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
