/** The columns of a list: content, sort and filter keys, and cells. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { namingOrder } from '../../../../src-runtime/base/naming.js';
import { textFieldsOf } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import type { GridRow } from './use-rows.js';

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  /** Never optional. */
  readonly type: WireType;
  readonly doc?: string | undefined;
  /** The name in `sort` requests; undefined if it cannot be sorted. */
  readonly sort?: string | undefined;
  /** The name in filter requests. */
  readonly filter?: string | undefined;
  readonly source:
    | { readonly kind: 'id' }
    /** `field` is the label field of the individual, if it has one. */
    | { readonly kind: 'individual'; readonly field?: string }
    | { readonly kind: 'field'; readonly field: string }
    | { readonly kind: 'navigation'; readonly field: string; readonly relation: string; readonly endpoint: string }
    | { readonly kind: 'endpoint'; readonly position: number };
}

type Fields = ServedSchema['concepts'][number]['fields'];

/** A class lists individuals with the fields of its concept; a relation lists tuples by endpoint. */
export function gridColumns(schema: ServedSchema, info: RelationInfo): GridColumn[] {
  if (info.kind !== 'concept' && info.kind !== 'define') {
    return info.endpoints.map(({ name, type }, position) => {
      const asked = columnName(info, position) ?? name;
      const sort = sortKey(schema, asked, bare(type));
      return { id: name, title: name, type: bare(type), sort, filter: asked, source: { kind: 'endpoint', position } };
    });
  }
  const fields = fieldsOfClass(schema, info.path);
  const naming = namingFieldOf(fields);
  const self: WireType = { kind: 'class', path: info.path };
  // A field may have the name of a built-in column.
  const title = (name: string, other: string): string => (fields.some((field) => field.name === name) ? other : name);
  return [
    {
      id: '$label',
      title: naming ?? title('individual', shortName(info.path)),
      type: self,
      sort: naming ?? '$id',
      filter: naming ?? '$id',
      source: { kind: 'individual', ...(naming !== undefined && { field: naming }) },
    },
    ...fields.filter(({ name }) => name !== naming).map((field) => fieldColumn(schema, field)),
    { id: '$id', title: title('id', '$id'), type: self, sort: '$id', source: { kind: 'id' } },
  ];
}

/** The server's name of an endpoint: fields have no endpoint names in the module. */
export function columnName(
  { kind, endpoints }: Pick<RelationInfo, 'kind' | 'endpoints'>,
  position: number,
): string | undefined {
  return kind === 'field' ? FIELD_COLUMNS[position] : endpoints[position]?.name;
}

const FIELD_COLUMNS = ['individual', 'value'];

function fieldColumn(schema: ServedSchema, { name, type, doc, navigation }: Fields[number]): GridColumn {
  const plain = bare(type);
  if (navigation !== undefined) {
    const { relation, endpoint } = navigation;
    return { id: name, title: name, type: plain, doc, source: { kind: 'navigation', field: name, relation, endpoint } };
  }
  const sort = sortKey(schema, name, plain);
  return { id: name, title: name, type: plain, doc, sort, filter: name, source: { kind: 'field', field: name } };
}

/** References are sorted by label, if their class has a label field. */
function sortKey(schema: ServedSchema, name: string, type: WireType): string {
  const naming = type.kind === 'class' ? namingFieldOf(fieldsOfClass(schema, type.path)) : undefined;
  return naming === undefined ? name : `${name}.${naming}`;
}

/** Fields of a concept including inherited ones; a derived class has those of its concept. */
export function fieldsOfClass(schema: ServedSchema, path: string): Fields {
  let concept = path;
  for (let define = defineOf(schema, concept); define !== undefined; define = defineOf(schema, concept)) {
    concept = define.class;
  }
  return schema.concepts.find((candidate) => candidate.path === concept)?.fields ?? [];
}

function defineOf(schema: ServedSchema, path: string) {
  return schema.defines.find((define) => define.path === path);
}

/** The label field of most individuals of the class. */
export function namingFieldOf(fields: Fields): string | undefined {
  return namingOrder(textFieldsOf(fields))[0];
}

function bare(type: WireType): WireType {
  return type.kind === 'optional' ? bare(type.of) : type;
}

/** Numbers are aligned by decimal point. */
export function isNumeric({ type }: Pick<GridColumn, 'type'>): boolean {
  return type.kind === 'scalar' && (type.name === 'Int' || type.name === 'Decimal');
}

const SCALAR_WIDTHS: Readonly<Record<string, number>> = { Bool: 72, Int: 88, Decimal: 104, Date: 104, DateTime: 200 };

/** Default width by type until values are known; extra space is shared by all columns. */
export function widthOf({ type, source }: GridColumn): number {
  if (source.kind === 'id') return 96;
  if (source.kind === 'individual') return 152;
  if (type.kind === 'scalar') return SCALAR_WIDTHS[type.name] ?? 136;
  return type.kind === 'enum' ? 104 : 120;
}

export interface CellContent {
  /** Index among the visible columns. */
  readonly place: number;
  /** Undefined for the proof cell. */
  readonly column: GridColumn | undefined;
  readonly row: GridRow | undefined;
  readonly value: JsonValue | undefined;
}
