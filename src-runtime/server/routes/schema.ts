/** Every declaration of the loaded module, as clients need it to call and to draw forms. */

import { servedSchemaSchema } from '../../api/schemas/module-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { type App, frame, type ServerContext } from './server-context.js';

export function registerSchema(app: App, context: ServerContext): void {
  app.get(
    '/v1/schema',
    { schema: { summary: 'All declarations', response: { 200: successSchema(servedSchemaSchema) } } },
    async (request) => ({ result: context.runtime.schema(), ...frame(context, request) }),
  );
}
