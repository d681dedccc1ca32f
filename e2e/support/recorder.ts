/**
 * Records a demo as a video, or as numbered screenshots if this Chromium has no encoder. Another page of the same browser
 * encodes the video afterwards, so that recording needs only Chromium and does not slow the demo down.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { openStudio, VIDEO_CODEC, VIDEO_SIZE } from '../../scripts/video-studio.mjs';
import { type EncodedFrame, webm } from './webm.js';

export interface Recorder {
  /** Takes a screenshot, if no video is recorded. */
  moment(): Promise<void>;
  /** Writes the recording, and returns its path. */
  finish(): Promise<string>;
}

/** Records nothing. */
export const NO_RECORDER: Recorder = { moment: async () => undefined, finish: async () => '' };

/** The interval of key frames. Each starts a cluster, whose 16-bit timestamps cover 32 s at most. */
const KEY_FRAME_EVERY_MS = 5_000;

const REPORT_EVERY_FRAMES = 200;

export interface Recording {
  readonly folder: string;
  /** File name without extension. */
  readonly name: string;
  /** At most. Chromium sends no frames while nothing changes. */
  readonly framesPerSecond: number;
  /** Prints a line of progress. */
  readonly report: (line: string) => void;
}

interface Picture {
  readonly timeMs: number;
  readonly jpeg: Buffer;
}

export async function record(page: Page, browser: Browser, recording: Recording): Promise<Recorder> {
  const { folder, name, framesPerSecond, report } = recording;
  const studio = await openStudio(browser);
  if (studio === undefined) return recordPictures(page, recording);
  await studio.close();
  const pictures: Picture[] = [];
  const startMs = performance.now();
  await page.screencast.start({
    size: VIDEO_SIZE,
    fps: framesPerSecond,
    onFrame: ({ data }) => {
      if (pictures.at(-1)?.jpeg.equals(data)) return;
      pictures.push({ timeMs: performance.now() - startMs, jpeg: data });
    },
  });
  return {
    moment: async () => undefined,
    async finish() {
      await page.screencast.stop();
      const durationMs = performance.now() - startMs;
      const file = join(folder, `${name}.webm`);
      mkdirSync(folder, { recursive: true });
      const frames = await encode(browser, pictures, durationMs, report);
      writeFileSync(file, webm({ ...VIDEO_SIZE, durationMs, frames }));
      return file;
    },
  };
}

export function recordPictures(page: Page, { folder, name }: Pick<Recording, 'folder' | 'name'>): Recorder {
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

async function encode(
  browser: Browser,
  pictures: readonly Picture[],
  durationMs: number,
  report: Recording['report'],
): Promise<EncodedFrame[]> {
  const studio = await openStudio(browser);
  const last = pictures.at(-1);
  if (studio === undefined || last === undefined)
    throw new Error('No frames were recorded, or this Chromium has no video encoder.');
  await studio.evaluate(openEncoder, { codec: VIDEO_CODEC, ...VIDEO_SIZE });
  let keyMs = Number.NEGATIVE_INFINITY;
  // No frames arrive while nothing changes, so the last one is repeated for each key frame that is due and at the end.
  const frames = [...filled(pictures), { timeMs: durationMs, jpeg: last.jpeg }];
  for (const [index, { timeMs, jpeg }] of frames.entries()) {
    if (index % REPORT_EVERY_FRAMES === 0) report(`encoding frame ${index + 1} of ${frames.length}`);
    const isKey = timeMs - keyMs >= KEY_FRAME_EVERY_MS;
    if (isKey) keyMs = timeMs;
    const frame = { jpeg: jpeg.toString('base64'), timeMs, isKey };
    await studio.evaluate((next) => (window as unknown as Encoder).encode(next), frame);
  }
  const encoded = await studio.evaluate(() => (window as unknown as Encoder).finish());
  await studio.close();
  return encoded.map(({ timeMs, isKey, base64 }) => ({ timeMs, isKey, bytes: Buffer.from(base64, 'base64') }));
}

/** Repeats a picture after each interval of key frames without a new one. */
function filled(pictures: readonly Picture[]): Picture[] {
  return pictures.flatMap((picture, index) => {
    const untilMs = pictures[index + 1]?.timeMs ?? picture.timeMs;
    const repeatCount = Math.max(0, Math.ceil((untilMs - picture.timeMs) / KEY_FRAME_EVERY_MS) - 1);
    const repeats = Array.from(
      { length: repeatCount },
      (_none, step) => picture.timeMs + (step + 1) * KEY_FRAME_EVERY_MS,
    );
    return [picture, ...repeats.map((timeMs) => ({ ...picture, timeMs }))];
  });
}

/** Functions on the window of the encoding page. */
interface Encoder {
  encode(frame: { jpeg: string; timeMs: number; isKey: boolean }): Promise<void>;
  finish(): Promise<{ timeMs: number; isKey: boolean; base64: string }[]>;
}

/** Runs in the encoding page. */
function openEncoder(config: { codec: string; width: number; height: number }): void {
  const chunks: { timeMs: number; isKey: boolean; base64: string }[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      chunks.push({ timeMs: chunk.timestamp / 1_000, isKey: chunk.type === 'key', base64: btoa(binary) });
    },
    error: (error) => {
      throw error;
    },
  });
  // `realtime` encodes much faster than `quality`, and text stays legible.
  encoder.configure({ ...config, bitrate: 4_000_000, latencyMode: 'realtime' });
  const canvas = new OffscreenCanvas(config.width, config.height);
  const context = canvas.getContext('2d');
  const page: Encoder = {
    async encode({ jpeg, timeMs, isKey }) {
      const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      context?.drawImage(picture, 0, 0, config.width, config.height);
      const frame = new VideoFrame(canvas, { timestamp: Math.round(timeMs * 1_000) });
      encoder.encode(frame, { keyFrame: isKey });
      frame.close();
      picture.close();
      // Frames in the encoder's queue keep their pixels in memory.
      while (encoder.encodeQueueSize > 2) {
        await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
      }
    },
    async finish() {
      await encoder.flush();
      encoder.close();
      return chunks;
    },
  };
  Object.assign(window, page);
}
