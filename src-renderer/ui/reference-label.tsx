/** An individual by label with its id as tooltip, also inside a list or record; other values as they are. */

import { Tooltip } from '@mantine/core';
import { createContext, useContext, useMemo } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import {
  entityLabel,
  idLabel,
  inBrief,
  isEntity,
  lettersWide,
  looksLikeReference,
  markOf,
  plainText,
  SHOWN_LETTERS_MAX,
  saysConcept,
  shortId,
} from '../model/facts/labels.js';
import { explainLocation, shortName } from '../model/facts/locations.js';
import { useHasNamesake } from '../model/facts/namesakes.js';
import { nestedText } from '../model/facts/value-text.js';
import { useIndividual, useIndividuals } from '../server-state/facts.js';
import { useSchema } from '../server-state/module.js';
import { Brief, LettersMax } from './brief.js';
import { TooltipOwner } from './cut.js';

/**
 * Labels by id for facts outside of the scope, such as those of a test. Ids there mean other individuals, so labels are not
 * loaded and proofs not linked.
 */
export const LocalNames = createContext<ReadonlyMap<string, string> | undefined>(undefined);

/** Additional labels for shown facts, such as those a dry run would create. */
export const KnownLabels = createContext<ReadonlyMap<string, string>>(new Map());

interface ReferenceLabelProps {
  readonly value: JsonValue;
  /** Whether the type is a class; undefined decides by the form of the value. */
  readonly reference?: boolean;
  /** Link target; by default the explanation of an entity. */
  readonly to?: string | undefined;
  /** Concept to show before the label, unless the label has it: `Payment 7`. */
  readonly concept?: string | undefined;
}

export function ReferenceLabel({ value, reference, to, concept }: ReferenceLabelProps) {
  const isReference = reference ?? looksLikeReference(value);
  const local = useContext(LocalNames);
  const known = useContext(KnownLabels);
  const ofTheScope = local === undefined;
  if (isEntity(value)) {
    const why = to ?? explainLocation(value.$meta.type, [value.$id]);
    const link = ofTheScope ? why : undefined;
    return <Named id={value.$id} label={entityLabel(value)} mark={markOf(value)} to={link} />;
  }
  if (typeof value === 'object' && value !== null) return <Composite value={value} />;
  if (!isReference || typeof value !== 'string') return <PlainValue text={plainText(value)} />;
  if (!ofTheScope && value.startsWith('#'))
    return <Named id={value} label={local.get(value) ?? known.get(value) ?? value} mark={value} concept={concept} />;
  return <Looked id={value} to={ofTheScope ? to : undefined} concept={concept} />;
}

/** A list or record, with the labels of the individuals in it. */
function Composite({ value }: { readonly value: JsonValue }) {
  const local = useContext(LocalNames);
  const known = useContext(KnownLabels);
  const { get } = useLabels();
  const labelOf = (id: string): string => {
    if (local !== undefined && id.startsWith('#')) return local.get(id) ?? known.get(id) ?? id;
    return known.get(id) ?? get(id) ?? idLabel(id);
  };
  return <PlainValue text={nestedText(value, labelOf)} />;
}

export function PlainValue({ text: whole }: { text: string }) {
  const text = inBrief(whole, SHOWN_LETTERS_MAX);
  const brief = inBrief(text, useContext(LettersMax));
  return (
    <span className={valueClass(brief)} title={brief === text ? undefined : text}>
      <Brief>{text}</Brief>
    </span>
  );
}

/** Shorter labels do not wrap: `QUAY-5`, `2026-03-01`. */
const WHOLE_LETTERS_MAX = 14;

export function valueClass(name: string): string {
  return lettersWide(name) > WHOLE_LETTERS_MAX ? 'value' : 'value value-whole';
}

interface LookedProps extends Pick<ReferenceLabelProps, 'to' | 'concept'> {
  readonly id: string;
}

function Looked({ id, to, concept }: LookedProps) {
  const labels = useLabels();
  const given = useContext(KnownLabels).get(id);
  const known = given ?? labels.get(id);
  const single = useIndividual(id, labels.ready && known === undefined && looksLikeReference(id));
  const label = known ?? (single.data === undefined ? idLabel(id) : entityLabel(single.data));
  const mark = single.data === undefined ? labels.markOf(id) : markOf(single.data);
  const isAsked = known === undefined && looksLikeReference(id) && (!labels.ready || single.isLoading);
  return <Named id={id} label={label} mark={mark} to={to} concept={concept} isAsked={isAsked} />;
}

interface NamedProps extends LookedProps {
  readonly label: string;
  /** Distinguishes individuals with the same label on the page. */
  readonly mark: string;
  /** The label may change. */
  readonly isAsked?: boolean;
}

function Named({ id, label: whole, mark, to, concept, isAsked = false }: NamedProps) {
  const label = inBrief(whole, SHOWN_LETTERS_MAX);
  const brief = inBrief(label, useContext(LettersMax));
  const tooltipOwner = useContext(TooltipOwner);
  const name = (
    <>
      <Brief>{label}</Brief>
      {useHasNamesake(id, label) && mark !== label && <span className="name-mark"> ({mark})</span>}
    </>
  );
  return (
    <>
      {concept !== undefined && !saysConcept(label, concept, id) && `${shortName(concept)} `}
      <Tooltip
        multiline
        maw={480}
        disabled={tooltipOwner !== 'itself'}
        label={
          <>
            {brief !== label && <div>{label}</div>}
            <span className="mono">{id}</span>
          </>
        }
      >
        {to === undefined ? (
          <span className={valueClass(brief)} data-asked={isAsked || undefined}>
            {name}
          </span>
        ) : (
          <Link className={`${valueClass(brief)} value-link`} data-asked={isAsked || undefined} to={to}>
            {name}
          </Link>
        )}
      </Tooltip>
      {tooltipOwner === 'tooltip' && <span className="mono"> {id}</span>}
    </>
  );
}

/** Labels of known individuals. If one cannot be read, listing fails, but single ones can still be loaded. */
export function useLabels(): LabelsById {
  const { data, isError } = useIndividuals(undefined);
  const entities = data?.result;
  // Listed names have labels, possibly later.
  const schema = useSchema().data;
  return useMemo(() => {
    const known = entities === undefined ? undefined : labelsOf(entities, schema);
    return {
      ready: known !== undefined || isError,
      get: (id) => known?.get(id)?.label,
      markOf: (id) => known?.get(id)?.mark ?? shortId(id),
    };
  }, [entities, schema, isError]);
}

export interface LabelsById {
  readonly ready: boolean;
  get(id: string): string | undefined;
  /** Mark that distinguishes individuals with the same label. */
  markOf(id: string): string;
}

interface Label {
  readonly label: string;
  readonly mark: string;
}

/** One shared map for all labels on the page. */
const maps = new WeakMap<
  readonly Entity[],
  { readonly schema: ServedSchema | undefined; readonly labels: ReadonlyMap<string, Label> }
>();

function labelsOf(entities: readonly Entity[], schema: ServedSchema | undefined): ReadonlyMap<string, Label> {
  const kept = maps.get(entities);
  if (kept !== undefined && kept.schema === schema) return kept.labels;
  const labels = new Map(entities.map((entity) => [entity.$id, { label: entityLabel(entity), mark: markOf(entity) }]));
  maps.set(entities, { schema, labels });
  return labels;
}
