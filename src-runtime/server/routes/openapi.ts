/** The API described by itself, made from the schemas that check it. */

import type { App } from '../server-context.js';

export function registerOpenApi(app: App): void {
  app.get('/v1/openapi.json', { schema: { summary: 'This document' } }, async () => app.swagger());
}
