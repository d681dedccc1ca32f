/** Names of files that are kept beside the module. */

import { z } from 'zod';
import { DEVICE_NAME, FILE_NAME } from './schemas/wire-constants.js';

/** A file name on every system, and no path: neither slashes nor a leading dot, nor what Windows keeps for devices. */
export const fileNameSchema = z
  .string()
  .regex(FILE_NAME.pattern, FILE_NAME.words)
  .refine((name) => !DEVICE_NAME.pattern.test(name), DEVICE_NAME.words);
