/** The article of an English word. */

/** `a unit`, `a user`, but `an uninvolved`. */
const SOUNDS_LIKE_YOU = /^(uni(?![nm])|us[aeu]|ut[ei]|eu)/i;

export function articleFor(word: string): string {
  return /^[aeiou]/i.test(word) && !SOUNDS_LIKE_YOU.test(word) ? 'an' : 'a';
}
