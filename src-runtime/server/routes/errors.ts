/** The registry of error codes, for clients that explain a code. */

import { z } from 'zod';
import { ERROR_CODES, ERROR_REGISTRY } from '../../api/errors.js';
import { errorRowSchema } from '../../api/health-schemas.js';
import { successSchema } from '../../api/schemas.js';
import { type App, frame, type ServerContext } from '../server-context.js';

export function registerErrors(app: App, context: ServerContext): void {
  const rows = ERROR_CODES.map((code) => ({ code, ...ERROR_REGISTRY[code] }));
  app.get(
    '/v1/errors',
    { schema: { summary: 'All error codes', response: { 200: successSchema(z.array(errorRowSchema)) } } },
    async (request) => ({ result: rows, ...frame(context, request) }),
  );
}
