/** The context that every request carries, where the module declares fields; the scope's tenant stands in the top bar too. */

import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { BreakingName } from '../components/breaking-name.js';
import { TakesVariables, VariableTextInput } from '../components/variable-completion.js';
import { VariableHints } from '../components/variable-hints.js';
import { callHistory, openHistory } from '../data/call-history.js';
import { identityText, recentIdentities, wholeContext } from '../data/identities.js';
import { contextErrors, requestContext, setContextField, switchTenant } from '../data/place.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { useVariableScope } from '../data/variable-scope.js';

export function ContextFields({ schema }: { schema: ServedSchema }) {
  const context = useStore(requestContext);
  const errors = contextErrors(context, useVariableScope());
  if (schema.context.length === 0) return null;
  return (
    <fieldset className="context-fields">
      <legend>Context, sent with every request</legend>
      <Identities fields={schema.context.map(({ name }) => name)} />
      {schema.context.map((field) => (
        <div className="field" key={field.name}>
          <div className="field-name">
            <span className="mono">
              <BreakingName>{field.name}</BreakingName>
            </span>
            <span className="dim field-remarks">
              {typeText(field.type)}, {field.required ? 'required' : 'optional'}
            </span>
          </div>
          <TakesVariables value="kept">
            <VariableTextInput
              aria-label={`Context ${field.name}`}
              value={context[field.name] ?? ''}
              error={errors[field.name]}
              onChange={(event) => setContextField(field.name, event.currentTarget.value)}
            />
          </TakesVariables>
          <VariableHints text={context[field.name] ?? ''} />
          {field.doc !== undefined && <p className="dim field-doc">{field.doc}</p>}
        </div>
      ))}
    </fieldset>
  );
}

/** Whom the page has acted as before, to act as again. */
function Identities({ fields }: { fields: readonly string[] }) {
  const entries = useStore(callHistory);
  const context = useStore(requestContext);
  useEffect(() => void openHistory(), []);
  const recent = recentIdentities(entries, fields, context);
  if (recent.length === 0) return null;
  return (
    <div className="identities">
      <span className="dim">Act as</span>
      {recent.map((identity) => (
        <Button
          key={identityText(identity)}
          variant="default"
          size="compact-xs"
          onClick={() => {
            if (identity['tenantId'] !== undefined) switchTenant(identity['tenantId']);
            requestContext.update((current) => ({ ...current, ...wholeContext(fields, identity) }));
          }}
        >
          {identityText(identity)}
        </Button>
      ))}
    </div>
  );
}
