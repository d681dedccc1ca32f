/** Which way a text runs. */

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** By its first letter, as a browser has it. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

const TURNS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

/** It would move what stands beside it on a line. */
export function turnsDirection(text: string): boolean {
  return TURNS.test(text);
}

/** Of a message: what its author wrote decides, and no name that stands in it; `auto` where there is nothing but names. */
export function directionOfTemplate(template: string): 'ltr' | 'rtl' | 'auto' {
  const words = template.replace(/\{[^}]*\}/g, ' ');
  if (!/\p{L}/u.test(words)) return 'auto';
  return isRightToLeft(words) ? 'rtl' : 'ltr';
}
