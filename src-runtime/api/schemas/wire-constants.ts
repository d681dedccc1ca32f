/** Constants shared by the wire schemas and the page, without the schemas. */

/** The longest ad-hoc text, in UTF-16 code units, so that compiling it does not delay other requests. */
export const ADHOC_SOURCE_MAX = 16_384;

/** The longest label of a fork, in UTF-16 code units. */
export const FORK_LABEL_LENGTH_MAX = 80;

export const DIFF_LAYERS = ['stored', 'derived', 'firings'] as const;
/** Stored facts, conclusions, and violations of checks. */
export type DiffLayer = (typeof DIFF_LAYERS)[number];

export const DIFF_SIDES = ['left', 'right', 'both'] as const;
/** Only left, only right, or both, for a field with a different value on each side. */
export type DiffSide = (typeof DIFF_SIDES)[number];

/** The name of a variable of an environment, as written between `{{` and `}}`. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** The name of a file beside the module, without extension. */
export const FILE_NAME = {
  pattern: /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,62}[\p{L}\p{M}\p{N}_-])?$/u,
  words:
    'must be 1 to 64 letters, digits, blanks or . _ -, begin with a letter or digit and end with none of blank and dot',
};
/** Names that are reserved for devices. */
export const DEVICE_NAME = {
  pattern: /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,
  words: 'must not be a name that Windows keeps for devices',
};
