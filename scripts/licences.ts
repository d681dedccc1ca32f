/**
 * Collects the packages whose code, styles or fonts are in the build, and writes their licences beside the page: `licences.json`
 * for *Settings*, *About*, and `licences.txt` for readers of the installation.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** The licence and notice files of the package, or its author if it has none. */
  readonly text: string;
}

/** One collection for all bundles of a build; `installed` are folders of packages that ship unbundled. */
export function licenceCollector(installed: readonly string[]) {
  const folders = new Set(installed);
  return {
    /** For each bundle, workers included. */
    collect: (): Plugin => ({
      name: 'collect-licences',
      apply: 'build',
      generateBundle(_options, bundle) {
        const rendered = Object.values(bundle).flatMap((output) =>
          output.type === 'chunk' ? Object.keys(output.modules) : [],
        );
        // Styles leave their chunks before the bundle is written, and fonts belong to the package of their style.
        const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id));
        for (const id of [...rendered, ...styles]) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      },
    }),
    /** For the page's bundle, which is built last. */
    emit: (): Plugin => ({
      name: 'emit-licences',
      apply: 'build',
      generateBundle: {
        order: 'post',
        handler() {
          // A package can be installed in several places.
          const byName = new Map([...folders].map(readLicence).map((each) => [`${each.name} ${each.version}`, each]));
          const licences = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
          this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(licences) });
          this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesText(licences) });
        },
      },
    }),
  };
}

/** Of the innermost package in `node_modules` that contains the module; undefined for our own code and for virtual modules. */
export function packageFolder(id: string): string | undefined {
  const path = id.replaceAll('\\', '/').replace(/\?.*$/, '');
  return /^[^\0]*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** Throws for a package without a licence, which must not be shipped. */
export function readLicence(folder: string): Licence {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  const { name, version, license, author } = manifest;
  if (license === undefined) throw new Error(`${name} ${version} states no licence.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0) texts.push(`Copyright ${holder ?? 'its authors'}. The package contains no licence file.`);
  return { name, version, licence: license, text: texts.join('\n\n') };
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

function licencesText(licences: readonly Licence[]): string {
  const sections = licences.map(
    ({ name, version, licence, text }) => `${name} ${version}\nLicence: ${licence}\n\n${text}`,
  );
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return ['Entail contains these packages.', ...sections].join(line).concat('\n');
}
