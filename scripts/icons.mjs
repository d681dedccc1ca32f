/**
 * Draws `resources/icon.svg` in the sizes and containers that the systems need, so that packing needs no tool for it. Run it by hand
 * after a change of the picture: `node scripts/icons.mjs`.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumOptions } from './system-chromium.mjs';

const resources = join(import.meta.dirname, '../resources');

/** Sizes in pixels of the files for Linux. */
const SINGLE = [16, 24, 32, 48, 64, 128, 256, 512];
/** Sizes within the Windows container. */
const ICO = [16, 24, 32, 48, 64, 128, 256];
/** macOS names of sizes, and their pixels; some are the same picture at twice the density. */
const ICNS = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic13', 256],
  ['ic09', 512],
  ['ic14', 512],
  ['ic10', 1024],
]);

const pictures = await draw([...new Set([...SINGLE, ...ICO, ...ICNS.map(([, size]) => size)])]);
mkdirSync(join(resources, 'icons'), { recursive: true });
for (const size of SINGLE) writeFileSync(join(resources, `icons/${size}x${size}.png`), picture(size));
writeFileSync(join(resources, 'icon.ico'), ico());
writeFileSync(join(resources, 'icon.icns'), icns());

/**
 * @param {readonly number[]} sizes
 * @returns {Promise<Map<number, Buffer>>}
 */
async function draw(sizes) {
  const source = readFileSync(join(resources, 'icon.svg')).toString('base64');
  const browser = await chromium.launch(chromiumOptions());
  const page = await browser.newPage();
  /** @type {Map<number, Buffer>} */
  const drawn = new Map();
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>body{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="data:image/svg+xml;base64,${source}">`,
    );
    drawn.set(size, await page.screenshot({ omitBackground: true }));
  }
  await browser.close();
  return drawn;
}

/** @param {number} size */
function picture(size) {
  const drawn = pictures.get(size);
  if (drawn === undefined) throw new Error(`There is no picture of ${size} pixels.`);
  return drawn;
}

/** A directory of 16 bytes an entry, then the pictures. */
function ico() {
  const head = Buffer.alloc(6 + 16 * ICO.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(ICO.length, 4);
  let offset = head.length;
  for (const [index, size] of ICO.entries()) {
    const at = 6 + 16 * index;
    const { length } = picture(size);
    // 256 does not fit and is written as 0.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([head, ...ICO.map(picture)]);
}

/** Blocks, each after its name and its length, the whole after `icns` and its own. */
function icns() {
  const blocks = ICNS.map(([name, size]) => block(name, picture(size)));
  return block('icns', Buffer.concat(blocks));
}

/**
 * @param {string} name
 * @param {Buffer} bytes
 */
function block(name, bytes) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(bytes.length + 8, 4);
  return Buffer.concat([head, bytes]);
}
