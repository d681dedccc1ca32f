/** Removes the tokens of the server, and other texts in the place of a token, from what the request log keeps. */

const REMOVED = '[removed]';

/** A shorter token may be an ordinary word. It is removed only where a token is expected. */
const UNGUESSABLE_LENGTH = 12;

/** Any `token` parameter of an address: it may be an old token, or a mistyped one. */
const TOKEN_PARAMETER = /(?<=[?&#]token=)[^&#\s"'\\]+/gi;

/** The text before a token: a header, a JSON member, an option or an environment variable. */
const BEFORE_TOKEN = String.raw`(?<=(?:token|bearer)["'\\]{0,4}\s{0,4}[:=]?\s{0,4}["'\\]{0,4})`;

/** In JSON and addresses, a word may follow the letters of an escape. */
const WORD_BEGINS = String.raw`(?:(?<![\p{L}\p{N}_])|(?<=\\[bfnrt])|(?<=\\u[\da-f]{4})|(?<=%[\da-f]{2}))`;
const WORD_ENDS = String.raw`(?![\p{L}\p{N}_])`;

/** Removes whole words only, not words that merely contain a token. */
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
