/** Names of files that are kept beside the module. */

import { z } from 'zod';

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A file name on every system, and no path: neither slashes nor a leading dot, nor what Windows keeps for devices. */
export const fileNameSchema = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,62}[\p{L}\p{M}\p{N}_-])?$/u,
    'must be 1 to 64 letters, digits, blanks or . _ -, begin with a letter or digit and end with none of blank and dot',
  )
  .refine((name) => !RESERVED.test(name), 'must not be a name that Windows keeps for devices');
