/** Bundles the command line from its sources, if wanted with a planted fault. */

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** Replaces `text`, which must occur, in the source file. */
export interface PlantedFault {
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

/** Returns the new folder, which is inside the repository so that packages are found, and the program in it. */
export async function bundleEntail(
  fault?: PlantedFault,
): Promise<{ readonly folder: string; readonly program: string }> {
  const root = process.cwd();
  const out = join(root, 'bench/out');
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(out, 'history-server-'));
  let isPlanted = fault === undefined;
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'planted-fault',
        enforce: 'pre',
        transform(code, id) {
          if (fault === undefined || !id.endsWith(fault.file) || !code.includes(fault.text)) return null;
          isPlanted = true;
          return code.replace(fault.text, fault.replacement);
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
  if (!isPlanted) throw new Error(`${fault?.file} no longer contains: ${fault?.text}`);
  return { folder, program: join(folder, 'entail.mjs') };
}
