/** Texts as they are compared without regard to case: two that a reader takes for the same are the same. */

/**
 * The text in one case, one form and with one letter for each sound that Unicode writes in several ways: `ß` as `ss`, `ς` as `σ`, the
 * dotted and the dotless i of Turkish as `i`, and marks composed with their letters (NFC).
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Uppercase first: only that writes ß and the ligatures in full.
  const lower = text.normalize('NFC').toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\u0000-\u007f]*$/;
