/** A cell of a result. An individual links to the fact that explains the cell. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity, isJsonObject } from '../../model/facts/labels.js';
import { explainLocation } from '../../model/facts/locations.js';
import { navigationFact } from '../../model/facts/row-facts.js';
import { Cut } from '../../ui/cut.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { decimalText } from './decimal-text.js';

/** The fact behind a value of a navigation field, to explain it. */
export type WhyOf = ((value: JsonValue) => string | undefined) | undefined;

export function whyOf(schema: ServedSchema, row: JsonValue, column: string | undefined): WhyOf {
  if (column === undefined || !isEntity(row)) return undefined;
  return (value) => {
    const fact = navigationFact(schema, row, column, value);
    return fact === undefined ? undefined : explainLocation(fact.relation, fact.tuple);
  };
}

interface CellProps {
  readonly value: JsonValue;
  readonly whyOf?: WhyOf;
  /** Decimal places of the column. */
  readonly places?: number | undefined;
}

export function Cell({ places = 0, ...content }: CellProps) {
  return <Cut>{decimalText(<Content {...content} />, content.value, places)}</Cut>;
}

/** Items of a list shown in a cell; JSON shows all. */
const ITEMS_MAX = 50;

/** An absent value is a dash, to distinguish it from an empty text. A record shows its fields. */
function Content({ value, whyOf }: CellProps) {
  if (value === null) {
    return (
      <span className="dim" title="none">
        –
      </span>
    );
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="dim">none</span>;
    return (
      <>
        {value.slice(0, ITEMS_MAX).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no identity but their place.
          <span key={index}>
            {index > 0 && (isRecord(item) ? '; ' : ', ')}
            <Content value={item} whyOf={whyOf} />
          </span>
        ))}
        {value.length > ITEMS_MAX && <span className="dim"> and {value.length - ITEMS_MAX} more (see JSON)</span>}
      </>
    );
  }
  if (!isRecord(value)) return <ReferenceLabel value={value} to={whyOf?.(value)} />;
  return Object.entries(value).map(([name, member], index) => (
    <span key={name}>
      {index > 0 && ', '}
      <span className="dim">{name}</span> <Content value={member} />
    </span>
  ));
}

function isRecord(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return isJsonObject(value) && !isEntity(value);
}
