/** The headline of a logged request: the callable with its arguments, `sign(Dana, "DANA-1", 700)`, or else method and path. */

import { useMemo } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RequestSummary } from '../../../src-runtime/api/schemas/request-log.js';
import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { placeContext } from '../../model/calls/place.js';
import { canonicalIds } from '../../model/facts/canonical-ids.js';
import { idLabel, looksLikeReference, plainText } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';
import { useSchema } from '../../server-state/module.js';
import { useStore } from '../../state/store.js';
import { useLabels } from '../../ui/reference-label.js';
import { readablePath, routeText } from './request-text.js';

export type NamedRequest = Pick<RequestSummary, 'method' | 'path' | 'subject' | 'args'>;

/** `labelOf` names an individual; the schema gives the order and types of the arguments. */
export function callText(
  { method, path, subject, args }: NamedRequest,
  schema: ServedSchema | undefined,
  labelOf: (id: string) => string,
): string {
  const route = path.split('?', 1)[0] ?? '';
  if (subject === undefined) return textOnRoute(route) ?? `${method} ${unqualified(readablePath(path))}`;
  const name = shortName(subject);
  if (route.endsWith('/import')) return `import ${name}`;
  const call = `${name}(${args === undefined ? '…' : argumentsText(args, parametersOf(schema, subject), labelOf)})`;
  return route.endsWith('/explain') ? `explain ${call}` : call;
}

/** Method and path of a call, which follow its headline; undefined if they are the headline. */
export function routeOfCall({ method, path, subject }: NamedRequest): string | undefined {
  const isNamed = subject !== undefined || textOnRoute(path.split('?', 1)[0] ?? '') !== undefined;
  return isNamed ? `${method} ${routeText(path)}` : undefined;
}

function textOnRoute(route: string): string | undefined {
  return /\/(query|mutation)\/adhoc$/.exec(route)?.[1]?.replace(/^/, 'ad-hoc ') ?? /\/(batch)$/.exec(route)?.[1];
}

/** `/v1/relations/lease::liable` → `/v1/relations/liable`. */
function unqualified(text: string): string {
  return text.replace(/(?:[A-Za-z_]\w*::)+/g, '');
}

interface Parameter {
  readonly name: string;
  readonly type: WireType;
}

function parametersOf(schema: ServedSchema | undefined, path: string): readonly Parameter[] {
  const callables = [...(schema?.queries ?? []), ...(schema?.mutations ?? []), ...(schema?.functions ?? [])];
  const callable = callables.find((each) => each.path === path);
  if (callable !== undefined) return callable.parameters;
  const relation = schema?.relations.find((each) => each.path === path);
  // The values of a tuple are named by position.
  return relation?.endpoints.map(({ type }, position) => ({ name: String(position), type })) ?? [];
}

function argumentsText(
  args: NonNullable<RequestSummary['args']>,
  parameters: readonly Parameter[],
  labelOf: (id: string) => string,
): string {
  const place = (name: string): number => {
    const index = parameters.findIndex((each) => each.name === name);
    return index < 0 ? parameters.length : index;
  };
  return args
    .toSorted((left, right) => place(left.name) - place(right.name))
    .map(({ name, value }) => valueText(value, parameters[place(name)]?.type, labelOf))
    .join(', ');
}

function valueText(value: JsonValue, type: WireType | undefined, labelOf: (id: string) => string): string {
  if (value === null) return 'none';
  if (typeof value === 'object') return JSON.stringify(value).replaceAll('"…":"…"', '…').replaceAll('"…"', '…');
  if (type?.kind === 'optional') return valueText(value, type.of, labelOf);
  if (type === undefined ? looksLikeReference(value) : type.kind === 'class') return labelOf(String(value));
  const isText = typeof value === 'string' && (type === undefined || (type.kind === 'scalar' && type.name === 'Text'));
  return isText ? JSON.stringify(value) : plainText(value);
}

/** Another tenant may have individuals with the same ids, so those are not named. */
export function useCallText(): (request: NamedRequest & { readonly tenant?: string | undefined }) => string {
  const schema = useSchema().data;
  const labels = useLabels();
  const { tenantId } = useStore(placeContext);
  const idOf = useMemo(() => canonicalIds(schema ?? { individuals: [] }), [schema]);
  return (request) =>
    callText(request, schema, (id) => (request.tenant === tenantId ? labels.get(idOf(id)) : undefined) ?? idLabel(id));
}
