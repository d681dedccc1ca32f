/** The columns of a list: what each shows, what it is sorted and narrowed by, and what its cells are. */

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
  /** What the server calls it in `sort`; undefined where it cannot be sorted by. */
  readonly sort?: string | undefined;
  /** What the server calls it in a filter. */
  readonly filter?: string | undefined;
  readonly source:
    | { readonly kind: 'id' }
    /** `field` is what the individual is called by, where it has such a field. */
    | { readonly kind: 'individual'; readonly field?: string }
    | { readonly kind: 'field'; readonly field: string }
    | { readonly kind: 'navigation'; readonly field: string; readonly relation: string; readonly endpoint: string }
    | { readonly kind: 'endpoint'; readonly position: number };
}

type Fields = ServedSchema['concepts'][number]['fields'];

/** A class lists its individuals with the fields of its concept, a relation its tuples by endpoint. */
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
  // A field may have the name of a column that is of none.
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

/** What the server calls an endpoint: those of fields have no names of their own in the module. */
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

/** References are sorted by what they are called, where their class says which field that is. */
function sortKey(schema: ServedSchema, name: string, type: WireType): string {
  const naming = type.kind === 'class' ? namingFieldOf(fieldsOfClass(schema, type.path)) : undefined;
  return naming === undefined ? name : `${name}.${naming}`;
}

/** Of a concept with what it inherits; a derived class has those of its concept. */
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

/** The field that most individuals of the class are called by. */
export function namingFieldOf(fields: Fields): string | undefined {
  return namingOrder(textFieldsOf(fields))[0];
}

function bare(type: WireType): WireType {
  return type.kind === 'optional' ? bare(type.of) : type;
}

/** Numbers stand by their points, so that they can be compared. */
export function isNumeric({ type }: Pick<GridColumn, 'type'>): boolean {
  return type.kind === 'scalar' && (type.name === 'Int' || type.name === 'Decimal');
}

const SCALAR_WIDTHS: Readonly<Record<string, number>> = { Bool: 72, Int: 88, Decimal: 104, Date: 104, DateTime: 200 };

/** What most values of the column take, as long as none are known; where there is more room, all columns have their part of it. */
export function widthOf({ type, source }: GridColumn): number {
  if (source.kind === 'id') return 96;
  if (source.kind === 'individual') return 152;
  if (type.kind === 'scalar') return SCALAR_WIDTHS[type.name] ?? 136;
  return type.kind === 'enum' ? 104 : 120;
}

export interface CellContent {
  /** Of its column among those that are shown. */
  readonly place: number;
  /** Undefined where the cell leads to the proof. */
  readonly column: GridColumn | undefined;
  readonly row: GridRow | undefined;
  readonly value: JsonValue | undefined;
}
