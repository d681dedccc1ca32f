/**
 * `npm run bench:data`: moving data in and out, beside databases that do the same in the same run. It measures the built command line,
 * so run `npm run build` before. Names of parts after `--` select them: `npm run bench:data -- import`.
 */
/// <reference types="vite/client" />

interface Part {
  /** Prints a table. */
  run(): Promise<void>;
}

const PARTS = Object.fromEntries(
  Object.entries(import.meta.glob<Part>(['./*.ts', '!./main.ts'])).map(([path, load]) => [path.slice(2, -3), load]),
);

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`);
for (const [name, load] of Object.entries(PARTS)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  process.stdout.write(`\n${name}\n`);
  await (await load()).run();
}
