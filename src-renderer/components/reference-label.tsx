/** An individual by its label, its id on hover; any other value as it is. */

import { Tooltip } from '@mantine/core';
import { createContext, useContext, useMemo } from 'react';
import { Link } from 'react-router';
import type { Entity, JsonValue } from '../../src-runtime/api/schemas.js';
import { entityLabel, idLabel, isEntity, looksLikeReference, plainText } from '../data/labels.js';
import { explainLocation } from '../data/locations.js';
import './value.css';
import { useIndividual, useIndividuals } from '../data/queries.js';

/**
 * Set around facts that are not those of the scope, such as a test's own: what names the individuals that were made there,
 * by id. Such an id means somebody else in the scope, so that no label is asked for.
 */
export const LocalNames = createContext<ReadonlyMap<string, string> | undefined>(undefined);

interface ReferenceLabelProps {
  readonly value: JsonValue;
  /** What the type says; where it is not known, the look of the value decides. */
  readonly reference?: boolean;
  /** Where the name of an individual leads; an entity leads to why it is what it is, unless given. */
  readonly to?: string | undefined;
}

export function ReferenceLabel({ value, reference, to }: ReferenceLabelProps) {
  const isReference = reference ?? looksLikeReference(value);
  const local = useContext(LocalNames);
  if (isEntity(value)) {
    const membership = explainLocation(value.$meta.type, [value.$id]);
    return <Named id={value.$id} label={entityLabel(value)} to={to ?? membership} />;
  }
  if (!isReference || typeof value !== 'string') return <span className="value">{plainText(value)}</span>;
  if (local !== undefined && value.startsWith('#')) return <Named id={value} label={local.get(value) ?? value} />;
  return <Looked id={value} to={to} />;
}

/** Labels of individuals that only what is shown knows, such as those that a dry run would create. */
export const KnownLabels = createContext<ReadonlyMap<string, string>>(new Map());

function Looked({ id, to }: { id: string; to: string | undefined }) {
  const labels = useLabels();
  const given = useContext(KnownLabels).get(id);
  const known = given ?? labels.get(id);
  const single = useIndividual(id, labels.ready && known === undefined && looksLikeReference(id));
  const label = known ?? (single.data === undefined ? idLabel(id) : entityLabel(single.data));
  return <Named id={id} label={label} to={to} />;
}

function Named({ id, label, to }: { id: string; label: string; to?: string | undefined }) {
  return (
    <Tooltip label={<span className="mono">{id}</span>}>
      {to === undefined ? (
        <span className="value">{label}</span>
      ) : (
        <Link className="value value-link" to={to}>
          {label}
        </Link>
      )}
    </Tooltip>
  );
}

/** Labels of the individuals that are known without asking for each. One that cannot be read keeps all from being listed, though not from being asked for. */
export function useLabels(): { readonly ready: boolean; get(id: string): string | undefined } {
  const { data, isError } = useIndividuals(undefined);
  const entities = data?.result;
  return useMemo(() => {
    const labels = entities === undefined ? undefined : labelsOf(entities);
    return { ready: labels !== undefined || isError, get: (id: string) => labels?.get(id) };
  }, [entities, isError]);
}

/** One map a list, however many labels are on the page. */
const maps = new WeakMap<readonly Entity[], ReadonlyMap<string, string>>();

function labelsOf(entities: readonly Entity[]): ReadonlyMap<string, string> {
  let labels = maps.get(entities);
  if (labels === undefined) {
    labels = new Map(entities.map((entity) => [entity.$id, entityLabel(entity)]));
    maps.set(entities, labels);
  }
  return labels;
}
