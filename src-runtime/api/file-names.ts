/** Names of files beside the module. */

import { z } from 'zod';
import { DEVICE_NAME, FILE_NAME } from './schemas/wire-constants.js';

/** Valid on every system, and never a path: no slashes, no leading dot, and no device name of Windows. */
export const fileNameSchema = z
  .string()
  .regex(FILE_NAME.pattern, FILE_NAME.words)
  .refine((name) => !DEVICE_NAME.pattern.test(name), DEVICE_NAME.words);
