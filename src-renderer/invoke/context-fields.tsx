/** The context that every request carries, where the module declares fields; the scope's tenant stands in the top bar too. */

import { TextInput } from '@mantine/core';
import type { ServedSchema } from '../../src-runtime/api/schemas.js';
import { requestContext, switchTenant } from '../data/place.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';

export function ContextFields({ schema }: { schema: ServedSchema }) {
  const context = useStore(requestContext);
  if (schema.context.length === 0) return null;
  return (
    <fieldset className="context-fields">
      <legend>Context, sent with every request</legend>
      {schema.context.map((field) => (
        <div className="field" key={field.name}>
          <div className="field-name">
            <span className="mono">{field.name}</span>
            <span className="dim field-remarks">
              {typeText(field.type)}, {field.required ? 'required' : 'optional'}
            </span>
          </div>
          <TextInput
            aria-label={`Context ${field.name}`}
            value={context[field.name] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (field.name === 'tenantId') switchTenant(value);
              else requestContext.update((current) => ({ ...current, [field.name]: value }));
            }}
          />
          {field.doc !== undefined && <p className="dim field-doc">{field.doc}</p>}
        </div>
      ))}
    </fieldset>
  );
}
