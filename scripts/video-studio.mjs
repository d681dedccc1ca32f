/** A page in which Chromium can encode video, so that recording needs no other program. */

/** Of the video, in pixels. */
export const VIDEO_SIZE = { width: 1440, height: 900 };

/** As WebCodecs calls it; every Chromium has it, whatever it was built with. */
export const VIDEO_CODEC = 'vp8';

/**
 * Undefined where this Chromium encodes no video.
 * @param {import('@playwright/test').Browser} browser
 */
export async function openStudio(browser) {
  const studio = await browser.newPage();
  // Encoders are for secure contexts only, which an address of this machine is; nothing is asked of the network.
  await studio.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Studio</title>' }));
  await studio.goto('http://127.0.0.1/');
  // As text, for it is the page's: Node knows no encoder.
  const config = JSON.stringify({ codec: VIDEO_CODEC, ...VIDEO_SIZE });
  const isSupported = await studio.evaluate(
    `'VideoEncoder' in globalThis && VideoEncoder.isConfigSupported(${config}).then(({ supported }) => supported)`,
  );
  if (isSupported) return studio;
  await studio.close();
  return undefined;
}
