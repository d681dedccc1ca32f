/** The label of an individual: which of its text fields names it. */

/** By convention, best first: if two of these fields are set, the one listed first here is the label. */
export const NAMING_FIELDS = ['name', 'title', 'label', 'fullName', 'displayName', 'code', 'number', 'key', 'email'];

/** A concept's text fields in the order in which they are tried as label: the names above, then the others as declared. */
export function namingOrder(textFields: readonly string[]): readonly string[] {
  const known = NAMING_FIELDS.filter((name) => textFields.includes(name));
  return [...known, ...textFields.filter((name) => !NAMING_FIELDS.includes(name))];
}

/**
 * The label of an individual without a text field that names it: `Payment 7`. Individuals declared in a module use their declared
 * name.
 */
export function numberedName(concept: string, id: string): string | undefined {
  if (!id.startsWith('#i')) return undefined;
  return `${concept.slice(concept.lastIndexOf(':') + 1)} ${id.slice(2)}`;
}
