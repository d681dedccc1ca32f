/**
 * Measures frames and keys for `npm run bench:page`, and fills modules with facts. Times are printed, not asserted, because
 * they depend on the machine. Requires a build.
 */

import type { Page } from '@playwright/test';
import { expect, type ServedWorkbench } from '../../e2e/support/served-workbench.js';

interface Frames {
  readonly times: number[];
  readonly long: { readonly ms: number; readonly scriptMs: number }[];
}

/** Prints the intervals of frames, and the script time of the longest frame of 50 ms or more. */
export async function framesWhile(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  const frames = await page.evaluateHandle(() => {
    const times: number[] = [];
    const long: { ms: number; scriptMs: number }[] = [];
    let last = performance.now();
    let running = true;
    const next = (now: number): void => {
      times.push(now - last);
      last = now;
      if (running) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { scripts = [] } = entry as PerformanceEntry & { scripts?: readonly PerformanceEntry[] };
        long.push({ ms: entry.duration, scriptMs: scripts.reduce((sum, script) => sum + script.duration, 0) });
      }
    });
    observer.observe({ type: 'long-animation-frame' });
    return {
      end: (): Frames => {
        running = false;
        observer.disconnect();
        return { times: times.slice(1), long };
      },
    };
  });
  await act();
  const { times, long } = await frames.evaluate(({ end }) => end());
  const [worst] = long.toSorted((left, right) => right.ms - left.ms);
  const words =
    worst === undefined
      ? 'none over 50 ms'
      : `${long.length} over 50 ms, longest ${worst.ms.toFixed(0)} ms, of which scripts ${worst.scriptMs.toFixed(0)} ms`;
  printed(name, `${String(times.length).padStart(4)} frames, ${spread(times)}; ${words}`);
}

export function printed(name: string, figures: string): void {
  process.stdout.write(`${name.padEnd(46)} ${figures}\n`);
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}

/** Runs a mutation that must succeed. */
export async function dispatched(
  { url, token }: ServedWorkbench,
  path: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const response = await fetch(`${url}/v1/dispatch/mutation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path, args }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Prints the time from each key to the next paint, in steps of 8 ms (shorter than 16 ms counts as 16 ms), and long tasks. */
export async function keysWhile(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  const keys = await page.evaluateHandle(() => {
    const slowest = new Map<number, number>();
    const tasks: number[] = [];
    let pressed = 0;
    const count = () => {
      pressed += 1;
    };
    addEventListener('keydown', count, true);
    const observer = new PerformanceObserver((list) => {
      for (const { entryType, startTime, duration } of list.getEntries()) {
        if (entryType === 'longtask') tasks.push(duration);
        else slowest.set(startTime, Math.max(duration, slowest.get(startTime) ?? 0));
      }
    });
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    observer.observe({ type: 'longtask' });
    return {
      end: (): { readonly times: number[]; readonly tasks: number[] } => {
        removeEventListener('keydown', count, true);
        observer.disconnect();
        const slow = [...slowest.values()].sort((left, right) => right - left).slice(0, pressed);
        return { times: [...slow, ...new Array<number>(pressed - slow.length).fill(16)], tasks };
      },
    };
  });
  await act();
  // Includes delayed work after the last key.
  await page.waitForTimeout(1_000);
  const { times, tasks } = await keys.evaluate(({ end }) => end());
  const sorted = times.toSorted((left, right) => left - right);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0);
  const longest = Math.max(0, ...tasks).toFixed(0);
  printed(
    name,
    `${String(times.length).padStart(3)} keys, median ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms; ${tasks.length} tasks over 50 ms, longest ${longest} ms`,
  );
}

/**
 * Returns the time from the next key to the frame after a status has this text. The page observes itself, because polling
 * from outside would slow it down and report late.
 */
export async function keyUntilTold(page: Page, words: RegExp, press: () => Promise<void>): Promise<number> {
  const measured = await page.evaluateHandle((pattern) => {
    const wanted = new RegExp(pattern);
    const isShown = (): boolean =>
      [...document.querySelectorAll('[role="status"]')].some(({ textContent }) => wanted.test(textContent));
    const ms = new Promise<number>((resolve) => {
      let pressed: number | undefined;
      const note = ({ timeStamp }: KeyboardEvent): void => {
        pressed ??= timeStamp;
      };
      addEventListener('keydown', note, true);
      const observer = new MutationObserver(() => {
        if (pressed === undefined || !isShown()) return;
        observer.disconnect();
        removeEventListener('keydown', note, true);
        requestAnimationFrame((now) => resolve(now - (pressed ?? now)));
      });
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    return { ms };
  }, words.source);
  await press();
  return await measured.evaluate(({ ms }) => ms);
}
