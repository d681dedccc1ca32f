/** Runs the parts of a benchmark: all of them, or those that the arguments name. */

export interface Part {
  /** Prints a table. */
  run(): Promise<void>;
}

/** `modules` are the files of the benchmark, by path. */
export async function runParts(modules: Readonly<Record<string, () => Promise<Part>>>): Promise<void> {
  const parts = Object.fromEntries(Object.entries(modules).map(([path, load]) => [path.slice(2, -3), load]));
  const selected = process.argv.slice(2);
  const unknown = selected.filter((name) => parts[name] === undefined);
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  for (const [name, load] of Object.entries(parts)) {
    if (selected.length > 0 && !selected.includes(name)) continue;
    process.stdout.write(`\n${name}\n`);
    await (await load()).run();
  }
}
