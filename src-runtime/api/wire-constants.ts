/** What the schemas of the wire and the page agree on, apart from the schemas: the page needs no schema to know it. */

/** The longest ad-hoc text, in UTF-16 code units: compiling it does not hold up other requests for long. */
export const ADHOC_SOURCE_MAX = 16_384;

export const DIFF_LAYERS = ['stored', 'derived', 'firings'] as const;
/** Stored facts, what follows from them, and the firings of checks. */
export type DiffLayer = (typeof DIFF_LAYERS)[number];

/** The name of a variable of an environment, as it stands between `{{` and `}}`. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
