/** Example check for a module without checks. */

export const EXAMPLE_CHECK = `check loner(p: Person)
  when not knows(p, _)
  severity warning
  message "{p.name} knows no one"`;
