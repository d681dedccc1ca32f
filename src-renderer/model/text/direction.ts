/** Text direction. */

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** By the first strong character, as in browsers. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

const TURNS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

/** Characters that affect the order of text next to them. */
export function turnsDirection(text: string): boolean {
  return TURNS.test(text);
}

/** The direction of a message by its own words, not by names in it; `auto` if it consists of names only. */
export function directionOfTemplate(template: string): 'ltr' | 'rtl' | 'auto' {
  const words = template.replace(/\{[^}]*\}/g, ' ');
  if (!/\p{L}/u.test(words)) return 'auto';
  return isRightToLeft(words) ? 'rtl' : 'ltr';
}
