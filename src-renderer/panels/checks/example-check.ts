/** What a check looks like, for a module that has none. */

export const EXAMPLE_CHECK = `check loner(p: Person)
  when not knows(p, _)
  severity warning
  message "{p.name} knows no one"`;
