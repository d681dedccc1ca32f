/** A condition that one part of a test waits for and another one signals. */

export interface Signal {
  readonly given: Promise<void>;
  give(): void;
}

export function signal(): Signal {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
