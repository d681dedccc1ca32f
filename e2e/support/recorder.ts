/**
 * Keeps what a demo shows: as a video, which another page of the same browser makes of the frames, so that nothing but Chromium
 * is needed; or, where that Chromium has no encoder, as numbered pictures.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';

export interface Recorder {
  /** Something is to be seen that is worth a picture. */
  moment(): Promise<void>;
  /** Writes what there is, and says where. */
  finish(): Promise<string>;
}

const SIZE = { width: 1440, height: 900 };
const VIDEO = 'video/webm; codecs=vp8';
const BITS_PER_SECOND = 4_000_000;

/** What the page that records keeps on its window. */
interface Studio {
  draw(frame: string): Promise<void>;
  finish(): Promise<string>;
}

export async function record(page: Page, browser: Browser, folder: string, name: string): Promise<Recorder> {
  mkdirSync(folder, { recursive: true });
  return (await recordVideo(page, browser, join(folder, `${name}.webm`))) ?? recordPictures(page, folder, name);
}

/** Undefined where this Chromium encodes no video. */
async function recordVideo(page: Page, browser: Browser, file: string): Promise<Recorder | undefined> {
  const studio = await browser.newPage();
  if (!(await studio.evaluate((type) => MediaRecorder.isTypeSupported(type), VIDEO))) {
    await studio.close();
    return undefined;
  }
  await studio.evaluate(openStudio, { ...SIZE, type: VIDEO, bitsPerSecond: BITS_PER_SECOND });
  // A frame that comes while another is drawn is dropped for a later one: what is slow must not fall behind.
  let drawing = false;
  await page.screencast.start({
    size: SIZE,
    onFrame: async ({ data }) => {
      if (drawing) return;
      drawing = true;
      await studio.evaluate(
        (frame) => (window as unknown as { studio: Studio }).studio.draw(frame),
        data.toString('base64'),
      );
      drawing = false;
    },
  });
  return {
    moment: async () => undefined,
    async finish() {
      await page.screencast.stop();
      const video = await studio.evaluate(() => (window as unknown as { studio: Studio }).studio.finish());
      await studio.close();
      writeFileSync(file, Buffer.from(video, 'base64'));
      return file;
    },
  };
}

export function recordPictures(page: Page, folder: string, name: string): Recorder {
  let count = 0;
  mkdirSync(folder, { recursive: true });
  return {
    async moment() {
      count += 1;
      await page.screenshot({ path: join(folder, `${name}-${String(count).padStart(2, '0')}.png`) });
    },
    finish: async () => join(folder, `${name}-*.png`),
  };
}

/** Runs in the page that records: draws frames on a canvas, and encodes what the canvas shows. */
function openStudio({
  width,
  height,
  type,
  bitsPerSecond,
}: typeof SIZE & { type: string; bitsPerSecond: number }): void {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: type, videoBitsPerSecond: bitsPerSecond });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.start(1_000);
  const studio: Studio = {
    async draw(frame) {
      const bytes = Uint8Array.from(atob(frame), (character) => character.charCodeAt(0));
      context?.drawImage(await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })), 0, 0, width, height);
    },
    async finish() {
      await new Promise<void>((resolve) => {
        recorder.addEventListener('stop', () => resolve(), { once: true });
        recorder.stop();
      });
      const reader = new FileReader();
      await new Promise<void>((resolve) => {
        reader.addEventListener('load', () => resolve(), { once: true });
        reader.readAsDataURL(new Blob(parts, { type }));
      });
      return String(reader.result).replace(/^.*?base64,/, '');
    },
  };
  Object.assign(window, { studio });
}
