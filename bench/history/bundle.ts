/** Bundles the command line from its sources, if wanted with a planted fault. */

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** Replaces texts of a source file, all of which must occur. */
export interface PlantedFault {
  readonly file: string;
  readonly replacements: Readonly<Record<string, string>>;
}

/** Returns the new folder, which is inside the repository so that packages are found, and the program in it. */
export async function bundleEntail(
  fault?: PlantedFault,
): Promise<{ readonly folder: string; readonly program: string }> {
  const root = process.cwd();
  const out = join(root, 'bench/out');
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(out, 'history-server-'));
  const missing = new Set(Object.keys(fault?.replacements ?? {}));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'planted-fault',
        enforce: 'pre',
        transform(code, id) {
          if (fault === undefined || !id.endsWith(fault.file)) return null;
          return Object.entries(fault.replacements).reduce((changed, [text, replacement]) => {
            if (changed.includes(text)) missing.delete(text);
            return changed.replace(text, replacement);
          }, code);
        },
      },
    ],
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      minify: false,
      rollupOptions: {
        input: { entail: join(root, 'src-runtime/cli/entail.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  if (missing.size > 0) throw new Error(`${fault?.file} no longer contains: ${[...missing].join(', ')}`);
  return { folder, program: join(folder, 'entail.mjs') };
}
