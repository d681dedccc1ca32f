/** The API described by itself, made from the schemas that check it. */

import { z } from 'zod';
import type { App } from './server-context.js';

const documentSchema = z.looseObject({ openapi: z.literal('3.1.0') });

export function registerOpenApi(app: App): void {
  const schema = { summary: 'This document', response: { 200: documentSchema } };
  // What the schema promises is a part of what the document is.
  app.get('/v1/openapi.json', { schema }, async () => app.swagger() as z.infer<typeof documentSchema>);
}
