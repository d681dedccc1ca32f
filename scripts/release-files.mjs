/**
 * `node scripts/release-files.mjs FROM TO`: collects the packages of all systems from the folders in FROM into the new folder TO, and
 * writes SHA256SUMS. Both processors of macOS name their update file latest-mac.yml; the files that they list are merged.
 */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) {
  console.error('Name the folder with the packages, and the folder to make.');
  process.exitCode = 2;
} else {
  collect(from, to);
}

/**
 * @param {string} from
 * @param {string} to
 */
function collect(from, to) {
  mkdirSync(to);
  for (const system of readdirSync(from).sort()) {
    for (const name of readdirSync(join(from, system))) {
      const [source, target] = [join(from, system, name), join(to, name)];
      if (!existsSync(target)) copyFileSync(source, target);
      else if (name.endsWith('.yml')) writeFileSync(target, merged(target, source));
      else throw new Error(`Two systems made ${name}.`);
    }
  }
  const names = readdirSync(to).sort();
  writeFileSync(join(to, 'SHA256SUMS'), names.map((name) => `${sha256(join(to, name))}  ${name}\n`).join(''));
}

/**
 * @param {string} first
 * @param {string} second
 */
function merged(first, second) {
  const [one, other] = [first, second].map((file) => parse(readFileSync(file, 'utf8')));
  if (one.version !== other.version) throw new Error(`${first} and ${second} are of different versions.`);
  return stringify({ ...one, files: [...one.files, ...other.files] });
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
