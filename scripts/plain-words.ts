/** Words that neither the docs nor the interface use, because a plainer word or a term of the glossary says the same. */

/** In docs and interface alike. */
const ODD =
  'of (?:its|their|his) own|by (?:itself|themselves)|there (?:is|are) none|whoever|whomever|what follows|as it was|as they were|(?:is|are|be) told|comes? along|goes? its own way';

/** Words with a term in the glossary, and words that make the interface read as translated. */
const ODD_IN_INTERFACE =
  'stands?|begins? (?:with|as)|firings?|fires?|came|went|chosen|somebody|nobody|anybody|meanwhile|mend(?:s|ed)?|aborts?|aborted|is none|are none|otherwise|anew|all the same|worked out|in sight|in it already|called so|answers?|answered|forgets?|forgotten|forgot';

/** In messages of the compiler and the command line: bound, is, cycle, again, fixed. */
const ODD_IN_MESSAGES = 'behind|stands?|circles?|is no [a-z]+|anew|cured?';

export function oddWords(text: string): string[] {
  return found(text, ODD);
}

export function oddWordsInInterface(text: string): string[] {
  return found(text, `${ODD}|${ODD_IN_INTERFACE}`);
}

export function oddWordsInMessages(text: string): string[] {
  return found(text, `${ODD}|${ODD_IN_MESSAGES}`);
}

function found(text: string, words: string): string[] {
  return [...text.matchAll(new RegExp(`\\b(?:${words})\\b`, 'gi'))].map(([word]) => word);
}
