/** A page in which Chromium encodes video, so that recording needs no other program. */

/** Of the video, in pixels. */
export const VIDEO_SIZE = { width: 1440, height: 900 };

/** The codec's WebCodecs name; every build of Chromium supports it. */
export const VIDEO_CODEC = 'vp8';

/**
 * Undefined if this Chromium encodes no video.
 * @param {import('@playwright/test').Browser} browser
 */
export async function openStudio(browser) {
  const studio = await browser.newPage();
  // Encoders need a secure context, which a local address is; nothing is loaded from the network.
  await studio.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Studio</title>' }));
  await studio.goto('http://127.0.0.1/');
  // As text, since it runs in the page: Node has no encoder.
  const config = JSON.stringify({ codec: VIDEO_CODEC, ...VIDEO_SIZE });
  const isSupported = await studio.evaluate(
    `'VideoEncoder' in globalThis && VideoEncoder.isConfigSupported(${config}).then(({ supported }) => supported)`,
  );
  if (isSupported) return studio;
  await studio.close();
  return undefined;
}
