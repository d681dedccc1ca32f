/** Lists of violations and of the tuples of a relation, and the export of a whole scope. */

import type { Snapshot } from '../../api/schemas/fork-schemas.js';
import { alternativesOf, type Fact, type Firing, type ListedFact } from '../../api/schemas/schemas.js';
import type { CheckDeclaration, Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  drive,
  factId,
  fromWire,
  holdsIndividuals,
  individualsIn,
  mapped,
  type RelationInfo,
  type Value,
  type View,
} from '../../engine/index.js';
import type { ListOptions, ListPage, Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { requestEnvironment } from '../state/individuals.js';
import { factKey, isStoredKind } from '../state/scope.js';
import { type Arrangement, arrange, pageOfArrangement } from '../wire/arrangements.js';
import { requireCheck } from '../wire/callables.js';
import { shapeOfRelation } from '../wire/columns.js';
import { requireRelation, withFaults } from '../wire/faults.js';
import { labelsById } from '../wire/labels.js';
import { openReader, pageOfSections, type Section } from '../wire/orders.js';
import { enforceRowCap, requireOwnCursor } from '../wire/pages.js';
import { inCodedBlocks, type RowBlocks } from '../wire/row-blocks.js';
import { servedSchema } from '../wire/served-schema.js';
import { renderViolation } from '../wire/violations.js';
import { decoderOf, type WireColumn, wireColumns } from '../wire/wire-columns.js';

/** Sorted by check, then by binding. Throws UNKNOWN_CHECK and CHECK_EVAL_FAILED. */
export async function listViolations(
  view: View,
  filter: string | undefined,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<Firing[]>> {
  const { program } = view;
  const failed = 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  const checks = filter === undefined ? [...program.checks.values()] : [requireCheck(program, filter)];
  const sections = checks
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((check): Section & { readonly check: CheckDeclaration } => ({
      check,
      key: check.path,
      types: check.parameters.map(({ type }) => type),
      async open() {
        const path = program.relationOfCheck(check.path);
        const materialise = () => view.materialise(path, deadline);
        return openReader(view, await withFaults(program, check.path, failed, materialise, failed), deadline);
      },
    }));
  const { rows, ...more } = await pageOfSections(view, sections, request, deadline);
  const result: Firing[] = [];
  for (const { section, codes } of rows) {
    const { check } = section;
    result.push(
      await withFaults(program, check.path, failed, () => renderViolation(view, check, codes, deadline), failed),
    );
  }
  return { result, ...more };
}

/** The state that is listed, and its declared facts. */
export interface ListSite {
  readonly view: View;
  readonly declared: ReadonlySet<string>;
}

/** The tuples of a relation, class, field or check. Throws VALIDATION_FAILED for an unknown path, and DERIVE_FAILED. */
export async function listTuples(
  site: ListSite,
  path: string,
  options: ListOptions,
  request: PageRequest,
  deadline: Deadline,
): Promise<ListPage<ListedFact[]>> {
  const { view } = site;
  const info = requireRelation(view, path, 'SVC_RUNTIME_VALIDATION_FAILED');
  requireOwnCursor(request);
  const arrangement = await arrangeTuples(view, info, options, deadline, (size) => enforceRowCap(size, request));
  const { rows, ...more } = await pageOfArrangement(view, arrangement, options, request, deadline);
  const section = relationSection(view, info, deadline);
  const facts = await wireFacts(
    view,
    rows.map((codes) => ({ section, codes })),
    deadline,
  );
  const result = options.origin ? facts.map((fact, at) => withOrigin(site, info, fact, rows[at] ?? [])) : facts;
  const types = info.endpoints.map(({ type }) => type);
  const mentioned = (code: number, type: Type | undefined): number[] => {
    if (type?.kind === 'class') return [code];
    if (type === undefined || !holdsIndividuals(type)) return [];
    return [...individualsIn(type, view.interner.decode(type, code))].map(({ id }) =>
      view.interner.encodeIndividual(id),
    );
  };
  const references = (): number[] => rows.flatMap((row) => row.flatMap((code, at) => mentioned(code, types[at])));
  return { result, ...more, ...(options.labels && { labels: await labelsById(view, types, references(), deadline) }) };
}

/** All tuples of a relation. Throws like `listTuples`. */
export async function* streamTuples(view: View, path: string, options: ListOptions, deadline: Deadline): RowBlocks {
  const info = requireRelation(view, path, 'SVC_RUNTIME_VALIDATION_FAILED');
  const arrangement = await arrangeTuples(view, info, options, deadline);
  const columns = info.endpoints.map(({ name, type }) => ({ name, wireOf: decoderOf(view.interner, type) }));
  yield* inCodedBlocks(columns, arrangement.size, arrangement.codesOf, deadline);
}

/** `onSize` gets the number of rows before they are sorted, unless the list is filtered. */
function arrangeTuples(
  view: View,
  info: RelationInfo,
  options: ListOptions,
  deadline: Deadline,
  onSize: (size: number) => void = () => {},
): Promise<Arrangement> {
  const values = askedValues(view, info, options);
  const materialise = () =>
    values === undefined ? view.materialise(info.path, deadline) : view.materialiseLike(info.path, values, deadline);
  const open = async () => {
    const reader = await withFaults(view.program, info.path, 'SVC_RUNTIME_DERIVE_FAILED', materialise);
    onSize(options.filter.length > 0 ? 0 : reader.size);
    return reader;
  };
  return arrange(view, open, shapeOfRelation(info), options, deadline);
}

/** The values that a filter fixes for endpoints, null for the others; undefined if it fixes none. */
function askedValues(view: View, { endpoints }: RelationInfo, { filter }: ListOptions): Value[] | undefined {
  const values = endpoints.map(({ name, type }): Value => {
    for (const condition of filter) {
      const [only, ...others] = alternativesOf(condition);
      if (only === undefined || others.length > 0 || only[0] !== name || only[1] !== '=') continue;
      const read = fromWire(type, only[2], requestEnvironment(view));
      if (read.ok) return read.value;
    }
    return null;
  });
  return values.every((value) => value === null) ? undefined : values;
}

export function withOrigin(
  { declared }: Pick<ListSite, 'declared'>,
  { path, kind }: RelationInfo,
  fact: Fact,
  codes: readonly number[],
): ListedFact {
  if (!isStoredKind(kind)) return { ...fact, origin: 'derived' };
  return { ...fact, origin: declared.has(factKey(path, codes)) ? 'declared' : 'stored' };
}

export interface FactSection extends Section {
  readonly info: RelationInfo;
}

/** All facts of a relation. Opening the section throws DERIVE_FAILED. */
function relationSection(view: View, info: RelationInfo, deadline: Deadline): FactSection {
  return {
    info,
    key: info.path,
    types: info.endpoints.map(({ type }) => type),
    async open() {
      const materialise = () => view.materialise(info.path, deadline);
      const reader = await withFaults(view.program, info.path, 'SVC_RUNTIME_DERIVE_FAILED', materialise);
      return openReader(view, reader, deadline);
    },
  };
}

/** Facts in wire form. */
export async function wireFacts(
  view: View,
  rows: readonly { readonly section: FactSection; readonly codes: readonly number[] }[],
  deadline: Deadline,
): Promise<Fact[]> {
  const columns = new Map<RelationInfo, readonly WireColumn[]>();
  const columnsOf = (info: RelationInfo): readonly WireColumn[] => {
    const made = wireColumns(view.interner, info.endpoints);
    columns.set(info, made);
    return made;
  };
  const facts = mapped(rows, ({ section: { info }, codes }): Fact => {
    const tuple = (columns.get(info) ?? columnsOf(info)).map(({ wireOf }, at) => wireOf(codes[at] as number));
    return { factId: factId(info.path, tuple), relation: info.path, tuple };
  });
  return drive(facts, deadline);
}

/**
 * Facts are sorted by relation, stored before derived, then in the language's order. The first page has the schema. Reads the scope's
 * numbers first, while they still match the view.
 */
export async function takeSnapshot(
  { fork, txn, seq }: Pick<Snapshot, 'fork' | 'txn' | 'seq'>,
  view: View,
  options: { readonly derived: boolean },
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<Snapshot>> {
  const { program } = view;
  const infos = [...program.relations.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  const stored = infos.filter(({ kind }) => isStoredKind(kind));
  const derived = options.derived ? infos.filter(({ kind }) => !isStoredKind(kind)) : [];
  const sections = [...stored, ...derived].map((info) => relationSection(view, info, deadline));
  const { rows, ...more } = await pageOfSections(view, sections, request, deadline);
  const isStored = ({ section }: (typeof rows)[number]) => isStoredKind(section.info.kind);
  const result: Snapshot = {
    fork,
    txn,
    seq,
    schemaHash: program.artifact.schemaHash,
    ...(request.paging.page === undefined && { schema: servedSchema(program.artifact) }),
    facts: await wireFacts(view, rows.filter(isStored), deadline),
    ...(options.derived && {
      derived: await wireFacts(
        view,
        rows.filter((row) => !isStored(row)),
        deadline,
      ),
    }),
  };
  return { result, ...more };
}
