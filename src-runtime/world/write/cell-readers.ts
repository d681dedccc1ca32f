/**
 * Readers of cells, made once for each column of an import: they turn wire values into codes without a value in between, and remember
 * references and keys that they have resolved. They accept only what `fromWire` accepts; it says why it refuses the rest.
 */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Json, Type } from '../../artifact/types.js';
import { parseDateTime } from '../../base/dates.js';
import { DECIMAL_DIGITS_MAX } from '../../base/decimal.js';
import { bare, fromWire, NONE, toWire, type View } from '../../engine/index.js';
import { requestEnvironment } from '../state/individuals.js';
import { type ImportKey, idOf } from './import-keys.js';

/** No code: the cell cannot be read here. */
export const UNREADABLE = NONE + 1;

export interface CellReader {
  /** The code of the cell, or UNREADABLE. */
  read(cell: Json): number;
  /** The stored form of the cell that was read last. */
  written: Json;
}

/** A reader of values of the type, which is no list or record. The view is the transaction's. */
export function cellReader(view: View, type: Type): CellReader {
  const plain = bare(type);
  if (plain.kind === 'scalar') {
    switch (plain.name) {
      case 'Text':
        return new TextReader(view, plain);
      case 'Int':
        return new IntReader(view);
      case 'Decimal':
        return new DecimalReader(view, plain);
      case 'DateTime':
        return new DateTimeReader(view, plain);
    }
  }
  return new OtherReader(view, plain);
}

class TextReader implements CellReader {
  written: Json = null;
  private readonly view: View;
  private readonly type: Type;

  constructor(view: View, type: Type) {
    this.view = view;
    this.type = type;
  }

  read(cell: Json): number {
    if (typeof cell !== 'string' || !cell.isWellFormed()) return UNREADABLE;
    this.written = cell;
    return this.view.interner.encode(this.type, cell);
  }
}

class IntReader implements CellReader {
  written: Json = null;
  private readonly view: View;

  constructor(view: View) {
    this.view = view;
  }

  read(cell: Json): number {
    if (typeof cell !== 'number' || !Number.isSafeInteger(cell)) return UNREADABLE;
    const int = cell === 0 ? 0 : cell;
    this.written = int;
    return this.view.interner.encodeInt(int);
  }
}

class DecimalReader implements CellReader {
  written: Json = null;
  private readonly view: View;
  private readonly other: OtherReader;

  constructor(view: View, type: Type) {
    this.view = view;
    this.other = new OtherReader(view, type);
  }

  read(cell: Json): number {
    const text = typeof cell === 'number' ? String(cell) : cell;
    if (typeof text === 'string' && PLAIN_DECIMAL.test(text) && text.length <= DECIMAL_DIGITS_MAX && text !== '-0') {
      this.written = text;
      return this.view.interner.encodeDecimalText(text);
    }
    const code = this.other.read(cell);
    this.written = this.other.written;
    return code;
  }
}

/** The stored form of a number. */
const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

class DateTimeReader implements CellReader {
  written: Json = null;
  private readonly view: View;
  private readonly type: Type;
  private readonly other: OtherReader;

  constructor(view: View, type: Type) {
    this.view = view;
    this.type = type;
    this.other = new OtherReader(view, type);
  }

  read(cell: Json): number {
    const isWhole = typeof cell === 'string' && WHOLE_SECONDS.test(cell);
    const instant = isWhole ? parseDateTime(cell) : undefined;
    if (instant !== undefined) {
      this.written = `${(cell as string).slice(0, 19)}.000Z`;
      return this.view.interner.encode(this.type, instant);
    }
    const code = this.other.read(cell);
    this.written = this.other.written;
    return code;
  }
}

const WHOLE_SECONDS = /T.{8}(?:\.000)?Z$/;

/** Any other type, and unusual forms of the others. Remembers individuals that exist. */
class OtherReader implements CellReader {
  written: Json = null;
  private readonly view: View;
  private readonly type: Type;
  private readonly met = new Map<Json, { readonly code: number; readonly written: Json }>();
  private readonly isClosed: boolean;

  constructor(view: View, type: Type) {
    this.view = view;
    this.type = type;
    // What an import inserts changes neither members of enums nor which individuals exist already.
    this.isClosed = type.kind === 'enum' || type.kind === 'class';
  }

  read(cell: Json): number {
    const known = this.isClosed ? this.met.get(cell) : undefined;
    if (known !== undefined) {
      this.written = known.written;
      return known.code;
    }
    const read = fromWire(this.type, cell, requestEnvironment(this.view));
    if (!read.ok || read.value === null) return UNREADABLE;
    this.written = toWire(this.type, read.value);
    const code = this.view.interner.encode(this.type, read.value);
    if (this.isClosed) this.met.set(cell, { code, written: this.written });
    return code;
  }
}

/** A reader of key values in place of individuals. */
export function keyReader(view: View, key: ImportKey, remembers: boolean): CellReader {
  return new KeyReader(view, key, remembers);
}

class KeyReader implements CellReader {
  written: Json = null;
  private readonly view: View;
  private readonly key: ImportKey;
  private readonly met: Map<Json, string> | undefined;

  /** Remembers ids if no row can make a key ambiguous. */
  constructor(view: View, key: ImportKey, remembers: boolean) {
    this.view = view;
    this.key = key;
    this.met = remembers ? new Map() : undefined;
  }

  read(cell: Json): number {
    const id = this.met?.get(cell) ?? this.find(cell);
    if (id === undefined) return UNREADABLE;
    this.met?.set(cell, id);
    this.written = id;
    return this.view.interner.encodeIndividual(id);
  }

  private find(cell: Json): string | undefined {
    try {
      return idOf(this.view, this.key, cell as JsonValue, []);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
}
