/** The example modules of the pages in `docs`. */

import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../docs/', import.meta.url);

/** The pages that have modules, in the order of their names. */
export function pagesWithModules(): { readonly page: string; readonly modules: readonly string[] }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((page) => ({ page, modules: modulesOf(textOfPage(page)) }))
    .filter(({ modules }) => modules.length > 0);
}

export function textOfPage(page: string): string {
  return readFileSync(new URL(page, folder), 'utf8');
}

/**
 * The modules of a page: each block that starts with `module`, with all the blocks marked `fragment` up to the next
 * one, which continue it.
 */
export function modulesOf(text: string): string[] {
  const modules: string[] = [];
  for (const [, mark, block] of text.matchAll(/^```entail( fragment)?\n(.*?)^```$/gms)) {
    const last = modules.length - 1;
    if (mark === undefined) modules.push(block ?? '');
    else modules[last] = `${modules[last]}\n${block}`;
  }
  return modules;
}
