/** The context that every request carries. The top bar has the tenant too. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { FieldInput } from '../../domain/calls/field-input.js';
import styles from '../../domain/calls/field-input.module.css';
import { TakesVariables, VariableTextInput } from '../../domain/calls/variable-completion.js';
import { VariableHints } from '../../domain/calls/variable-hints.js';
import type { FormValue } from '../../model/calls/form-model.js';
import { contextErrors, requestContext, setContextField } from '../../model/calls/place.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { idLabel, looksLikeReference } from '../../model/facts/labels.js';
import { typeText } from '../../model/facts/type-text.js';
import { callHistory, openHistory } from '../../server-state/call-history.js';
import { ownValue } from '../../state/own-value.js';
import { useStore } from '../../state/store.js';
import { BreakingName } from '../../ui/breaking-name.js';
import { useLabels } from '../../ui/reference-label.js';
import invokeStyles from './invoke.module.css';
import { contextText, fullContext, isCurrent, type RecentContext, recentContexts } from './recent-contexts.js';

export function ContextFields({ schema }: { schema: ServedSchema }) {
  const context = useStore(requestContext);
  const errors = contextErrors(context, useVariableScope());
  if (schema.context.length === 0) return null;
  return (
    <fieldset className={invokeStyles.contextFields}>
      <legend>Context, sent with every request</legend>
      <RecentContexts schema={schema} />
      {schema.context.map((field) => (
        <div className={styles.field} data-field key={field.name}>
          <div className={styles.fieldName}>
            <span className="mono">
              <BreakingName>{field.name}</BreakingName>
            </span>
            <span className={clsx('dim', styles.fieldRemarks)}>
              {typeText(field.type)}, {field.required ? 'required' : 'optional'}
            </span>
          </div>
          <TakesVariables value="kept">
            <ContextInput
              field={field}
              schema={schema}
              text={ownValue(context, field.name) ?? ''}
              error={ownValue(errors, field.name)}
            />
          </TakesVariables>
          {field.doc !== undefined && <p className={clsx('dim', styles.fieldDoc)}>{field.doc}</p>}
        </div>
      ))}
    </fieldset>
  );
}

interface ContextInputProps {
  readonly field: ServedSchema['context'][number];
  readonly schema: ServedSchema;
  readonly text: string;
  readonly error: string | undefined;
}

/** A picker for individuals and enum members, a text field for other types. Empty means absent. */
function ContextInput(props: ContextInputProps) {
  const { field, text, error } = props;
  const { kind } = field.type.kind === 'optional' ? field.type.of : field.type;
  if (kind === 'class' || kind === 'enum') return <PickedContextInput {...props} />;
  return (
    <>
      <VariableTextInput
        aria-label={`Context ${field.name}`}
        value={text}
        error={error}
        onChange={(event) => setContextField(field.name, event.currentTarget.value)}
      />
      <VariableHints text={text} />
    </>
  );
}

/**
 * Keeps a partly typed name out of the context. Otherwise every request would be refused, including the one that lists
 * individuals.
 */
function PickedContextInput({ field: { name, type }, schema, text, error }: ContextInputProps) {
  const [draft, setDraft] = useState<{ readonly of: string; readonly value: FormValue }>();
  const of = type.kind === 'optional' ? type.of : type;
  // A picker is cleared by hand. An optional enum has a clear button.
  const isClearable = of.kind === 'enum' && type.kind === 'optional';
  const change = (value: FormValue): void => {
    setDraft({ of: text, value });
    const typed = typeof value === 'string' ? value : '';
    if (of.kind === 'enum' || typed === '' || typed.includes('{') || looksLikeReference(typed)) {
      setContextField(name, typed);
    }
  };
  return (
    <FieldInput
      type={isClearable ? type : of}
      value={draft?.of === text ? draft.value : text === '' && isClearable ? null : text}
      onChange={change}
      schema={schema}
      label={`Context ${name}`}
      path={name}
      errors={error === undefined ? {} : { [name]: error }}
    />
  );
}

/** Contexts used before. A pressed button stays and keeps the focus. */
function RecentContexts({ schema }: { schema: ServedSchema }) {
  const entries = useStore(callHistory);
  const context = useStore(requestContext);
  const nameOf = useNamesInContext(schema);
  const [acted, setActed] = useState(false);
  useEffect(() => void openHistory(), []);
  const fields = schema.context.map(({ name }) => name);
  const recent = recentContexts(entries, fields);
  if (!acted && recent.every((recent) => isCurrent(recent, fields, context))) return null;
  return (
    <div className={invokeStyles.identities}>
      <span className="dim">Act as</span>
      {recent.map((recent) => (
        <Button
          key={JSON.stringify(recent)}
          className={invokeStyles.identity}
          variant="default"
          size="compact-xs"
          aria-pressed={isCurrent(recent, fields, context)}
          title={contextText(recent, (_, value) => value)}
          onClick={() => {
            setActed(true);
            requestContext.update((current) => ({ ...current, ...fullContext(fields, recent) }));
          }}
        >
          {contextText(recent, (field, value) => nameOf(recent, field, value))}
        </Button>
      ))}
    </div>
  );
}

/** Labels of individuals. An id from another tenant means another individual, so it stays an id. */
function useNamesInContext(schema: ServedSchema): (recent: RecentContext, field: string, value: string) => string {
  const labels = useLabels();
  const tenant = useStore(requestContext)['tenantId'] ?? '';
  return (recent, field, value) => {
    const type = schema.context.find(({ name }) => name === field)?.type;
    const isClass = (type?.kind === 'optional' ? type.of : type)?.kind === 'class';
    if (!isClass || !looksLikeReference(value)) return value;
    const isOfOtherTenant = value.startsWith('#') && (recent['tenantId'] ?? '') !== tenant;
    return (isOfOtherTenant ? undefined : labels.get(value)) ?? idLabel(value);
  };
}
