/** What an individual is called: by which of its text fields a person would name it. */

/** By convention, best first; of two texts the one whose field stands earlier here is the label. */
export const NAMING_FIELDS = ['name', 'title', 'label', 'fullName', 'displayName', 'code', 'number', 'key', 'email'];

/** A concept's text fields in the order in which they are asked for a name: those above, then the others as they are declared. */
export function namingOrder(textFields: readonly string[]): readonly string[] {
  const known = NAMING_FIELDS.filter((name) => textFields.includes(name));
  return [...known, ...textFields.filter((name) => !NAMING_FIELDS.includes(name))];
}

/** What an individual is called that no text names: `Payment 7`. One that the module declares has a name of its own. */
export function numberedName(concept: string, id: string): string | undefined {
  if (!id.startsWith('#i')) return undefined;
  return `${concept.slice(concept.lastIndexOf(':') + 1)} ${id.slice(2)}`;
}
