/** Columns of codes with the values that queries return. */

import type { CodedColumn } from '../../api/tables/coded-rows.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { bare, type Interner, type View } from '../../engine/index.js';
import type { IndividualForm } from '../contract/requests.js';
import { createRenderer } from './entities.js';
import { decoderOf } from './wire-columns.js';

/** `interner` has the values of the codes. Throws META_RESOLVE_FAILED and NAV_FIELD_RESOLVE_FAILED. */
export async function codedColumns(
  view: View,
  interner: Interner,
  columns: readonly { readonly name: string; readonly type: Type }[],
  individuals: IndividualForm,
  deadline: Deadline,
): Promise<readonly CodedColumn[]> {
  const isRendered = ({ type }: { readonly type: Type }) =>
    holdsIndividuals(type) && !(individuals === 'id' && isReference(type));
  const renderer = await createRenderer(
    view,
    columns.filter(isRendered).map(({ type }) => type),
    deadline,
  );
  return columns.map((column): CodedColumn => {
    const { name, type } = column;
    if (!isRendered(column)) return { name, wireOf: decoderOf(interner, type) };
    return { name, wireOf: (code) => renderer.render(type, interner.decode(type, code)) };
  });
}

function holdsIndividuals(type: Type): boolean {
  const plain = bare(type);
  if (plain.kind === 'record') return plain.fields.some((field) => holdsIndividuals(field.type));
  return plain.kind === 'class' || (plain.kind === 'list' && holdsIndividuals(plain.of));
}

/** An individual or a list of them, which a table has as ids. */
function isReference(type: Type): boolean {
  const plain = bare(type);
  return plain.kind === 'class' || (plain.kind === 'list' && bare(plain.of).kind === 'class');
}
