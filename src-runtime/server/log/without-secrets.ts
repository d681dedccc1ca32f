/** Texts as the request log may keep them: without the tokens of the server, and without what else was sent in the place of one. */

const REMOVED = '[removed]';

/** A shorter one may be a word that people use: only where tokens stand is it taken for one. */
const UNGUESSABLE_LENGTH = 12;

/** In an address, whatever it is: a token of yesterday, or one that was typed wrong. */
const TOKEN_PARAMETER = /(?<=[?&#]token=)[^&#\s"'\\]+/gi;

/** What stands before a token that somebody wrote down: a header, a member in JSON, an option, a variable of the environment. */
const BEFORE_TOKEN = String.raw`(?<=(?:token|bearer)["'\\]{0,4}\s{0,4}[:=]?\s{0,4}["'\\]{0,4})`;

/** In JSON and in addresses the letters of an escape may stand right before a word. */
const WORD_BEGINS = String.raw`(?:(?<![\p{L}\p{N}_])|(?<=\\[bfnrt])|(?<=\\u[\da-f]{4})|(?<=%[\da-f]{2}))`;
const WORD_ENDS = String.raw`(?![\p{L}\p{N}_])`;

/** What it returns leaves words alone that only begin or go on like a token. */
export function createCleaning(secrets: readonly string[]): (text: string) => string {
  const known = secrets.map((secret) => {
    const before = secret.length < UNGUESSABLE_LENGTH ? BEFORE_TOKEN : WORD_BEGINS;
    return { secret, places: new RegExp(`${before}${escaped(secret)}${WORD_ENDS}`, 'giu') };
  });
  return (text) => {
    const rest = text.includes('oken=') ? text.replace(TOKEN_PARAMETER, REMOVED) : text;
    return known.reduce(
      (cleaned, { secret, places }) => (cleaned.includes(secret) ? cleaned.replace(places, REMOVED) : cleaned),
      rest,
    );
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
