/** Ad-hoc items: a query, derive or mutation as text, compiled against the loaded artifact and cached. */

import { ApiError, type ErrorDetails } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration, QueryDeclaration, RuleDeclaration } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { didYouMean } from '../../base/nearest.js';
import type { Deadline } from '../../base/ports.js';
import { type CompiledItem, type Item, itemCompiler } from '../../compiler/index.js';
import { deriveTemporary, type Program, type View, withRule } from '../../engine/index.js';
import type { AdhocText, IndividualForm, Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { readArguments } from '../wire/arguments.js';
import { type Arrangement, arrange, pageOfArrangement } from '../wire/arrangements.js';
import { holdsExtern, reachedExtern } from '../wire/callables.js';
import { codedColumns } from '../wire/coded-columns.js';
import { withFaults } from '../wire/faults.js';
import { enforceRowCap } from '../wire/pages.js';
import { inBlocks, inCodedBlocks, type RowBlocks } from '../wire/row-blocks.js';

/** What the route accepts: a text that reads, or one that writes. */
export type AdhocKind = 'query' | 'mutation';

export type PreparedQuery =
  | { readonly kind: 'query'; readonly declaration: QueryDeclaration }
  /** `extended` is the program with the rule added. */
  | { readonly kind: 'derive'; readonly declaration: RuleDeclaration; readonly extended: Program };

/** Throws ADHOC_DISABLED. */
export function requireAdhoc(isEnabled: boolean): void {
  if (isEnabled) return;
  throw new ApiError(
    'SVC_RUNTIME_ADHOC_DISABLED',
    'Ad-hoc queries and mutations are disabled on this server; dispatch a declared one, or start the server without --no-adhoc.',
  );
}

/**
 * Throws ADHOC_MULTI_MODULE_UNSUPPORTED, VALIDATION_FAILED for a module that is not loaded, ADHOC_PREPARATION_FAILED and ADHOC_TYPE_ERROR.
 * Warnings refuse nothing.
 */
export function prepareQuery(program: Program, text: AdhocText): PreparedQuery {
  const prepared = prepare(program, 'query', text);
  if (prepared.kind !== 'mutation') return prepared;
  throw wrongItem(['mutation'], 'query');
}

/** Throws like `prepareQuery`, also for a query, because rows of a query are not facts. */
export function prepareDerive(program: Program, text: AdhocText): PreparedQuery & { readonly kind: 'derive' } {
  const prepared = prepareQuery(program, text);
  if (prepared.kind === 'derive') return prepared;
  throw failed('The ad-hoc source holds a query, whose rows are not facts; explain what it reads, or write a derive.', {
    items: ['query'],
  });
}

/** Throws like `prepareQuery`. */
export function prepareMutation(program: Program, text: AdhocText): MutationDeclaration {
  const prepared = prepare(program, 'mutation', text);
  if (prepared.kind === 'mutation') return prepared.declaration;
  throw wrongItem([prepared.kind], 'mutation');
}

type PreparedDerive = PreparedQuery & { readonly kind: 'derive' };
type Arguments = Readonly<Record<string, JsonValue>>;

/** The tuples of an ad-hoc derive, each as a record of its parameters, in the language's order. */
export async function runDerive(
  view: View,
  prepared: PreparedDerive,
  args: Arguments,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<JsonValue>> {
  const onSize = (size: number) => enforceRowCap(size, request);
  const arrangement = await arrangeDerived(view, prepared, args, deadline, onSize);
  const { parameters } = prepared.declaration;
  const columns = await codedColumns(view, view.interner, parameters, 'entity', deadline);
  const rowOf = async (codes: readonly number[]): Promise<JsonValue> => {
    const record: [string, JsonValue][] = [];
    for (const [at, { name, wireOf }] of columns.entries()) record.push([name, await wireOf(codes[at] as number)]);
    return Object.fromEntries(record);
  };
  const plain = { offset: undefined, total: false };
  const { rows, ...more } = await pageOfArrangement(view, arrangement, plain, request, deadline);
  const result: JsonValue[] = [];
  for await (const block of inBlocks(rows, rowOf, deadline)) for (const row of block) result.push(row);
  return { result, ...more };
}

/** All of them. Throws like `runDerive`. */
export async function* streamDerive(
  view: View,
  prepared: PreparedDerive,
  args: Arguments,
  individuals: IndividualForm,
  deadline: Deadline,
): RowBlocks {
  const { parameters } = prepared.declaration;
  const arrangement = await arrangeDerived(view, prepared, args, deadline);
  const columns = await codedColumns(view, view.interner, parameters, individuals, deadline);
  yield* inCodedBlocks(columns, arrangement.size, arrangement.codesOf, deadline);
}

async function arrangeDerived(
  view: View,
  { declaration, extended }: PreparedDerive,
  args: Arguments,
  deadline: Deadline,
  onSize: (size: number) => void = () => {},
): Promise<Arrangement> {
  const { path, parameters } = declaration;
  readArguments(view, path, [], args);
  const open = async () => {
    const work = () => deriveTemporary(view, extended, path, deadline);
    const reader = await withFaults(extended, path, 'SVC_RUNTIME_DERIVE_FAILED', work);
    onSize(reader.size);
    return reader;
  };
  const columns = parameters.map(({ name, type }, position) => ({ name, type, position, fields: [] }));
  return arrange(view, open, { path, columns }, { sort: [], filter: [] }, deadline);
}

type Prepared = PreparedQuery | { readonly kind: 'mutation'; readonly declaration: MutationDeclaration };

/** Ad-hoc texts that a program has compiled. */
interface Preparations {
  readonly compile: ReturnType<typeof itemCompiler>;
  /** By module and source, least recently used first. */
  readonly cache: Map<string, CompiledItem>;
  /** Programs extended by a derive, cached as long as their item. */
  readonly prepared: WeakMap<Item, Prepared>;
}

/** A workbench repeats its requests and has only a few queries open at once. */
const CACHED_MAX = 64;

const PREPARATIONS = new WeakMap<Program, Preparations>();

function preparationsOf(program: Program): Preparations {
  const known = PREPARATIONS.get(program);
  if (known !== undefined) return known;
  const made = { compile: itemCompiler(program.artifact), cache: new Map(), prepared: new WeakMap() };
  PREPARATIONS.set(program, made);
  return made;
}

function prepare(program: Program, wanted: AdhocKind, text: AdhocText): Prepared {
  const module = moduleOf(program, text.module);
  const preparations = preparationsOf(program);
  const compiled = itemOf(preparations, text.source, module);
  if (!compiled.ok) throw refusal(compiled, wanted);
  const { item } = compiled;
  const known = preparations.prepared.get(item);
  if (known !== undefined) return known;
  refuseExtern(program, item);
  const made: Prepared = item.kind === 'derive' ? { ...item, extended: withRule(program, item.declaration) } : item;
  preparations.prepared.set(item, made);
  return made;
}

function itemOf({ compile, cache }: Preparations, source: string, module: string | undefined): CompiledItem {
  const key = `${module}\n${source}`;
  const item = cache.get(key) ?? compile(source, module);
  cache.delete(key);
  cache.set(key, item);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
  return item;
}

/** Without a name, the only module. */
function moduleOf({ artifact }: Program, name: string | undefined): string | undefined {
  const modules = artifact.modules.map((module) => module.name);
  if (name !== undefined && !modules.includes(name)) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Expected one of the modules ${modules.join(', ')}, got "${name}" ($.module)${didYouMean(name, modules) || '.'}`,
      { path: '$.module', modules },
    );
  }
  if (name !== undefined || modules.length < 2) return name ?? modules[0];
  throw new ApiError(
    'SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED',
    `The artifact has the modules ${modules.join(', ')}; name the one that the text extends in "module".`,
    { modules },
  );
}

function refusal(item: CompiledItem & { readonly ok: false }, wanted: AdhocKind): ApiError {
  const { diagnostics, reason } = item;
  if (reason === 'items') return wrongItem(item.kinds, wanted, { diagnostics });
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === 'error');
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const found = first === undefined ? '' : `: ${placed(first)}${more}`;
  return reason === 'syntax'
    ? failed(`The ad-hoc source cannot be read${found}`, { diagnostics })
    : new ApiError('SVC_RUNTIME_ADHOC_TYPE_ERROR', `The ad-hoc source does not fit the loaded module${found}`, {
        diagnostics,
      });
}

function placed({ message, span }: Diagnostic): string {
  return `${message}, in line ${span.start.line}, column ${span.start.column}`;
}

const WANTED: { readonly [K in AdhocKind]: string } = { query: 'one query or derive', mutation: 'one mutation' };

function wrongItem(kinds: readonly string[], wanted: AdhocKind, found: ErrorDetails = {}): ApiError {
  const [only, ...others] = kinds;
  const details = { items: kinds, ...found };
  if (only === undefined) return failed(`The ad-hoc source is empty; write ${WANTED[wanted]}.`, details);
  if (others.length > 0) {
    const all = kinds.join(', ');
    return failed(`The ad-hoc source holds ${kinds.length} items (${all}); send ${WANTED[wanted]} alone.`, details);
  }
  const route = { query: '/v1/query/adhoc', derive: '/v1/query/adhoc', mutation: '/v1/mutation/adhoc' }[only];
  const way = route === undefined ? 'declare it in the module' : `send it to ${route}`;
  return failed(`The ad-hoc source holds a ${only}, and ${WANTED[wanted]} is taken here; ${way}.`, details);
}

function refuseExtern(program: Program, item: Item): void {
  const { declaration } = item;
  const types = declaration.parameters.map(({ type }) => type);
  if ('result' in declaration && declaration.result !== null) types.push(declaration.result);
  if (types.some(holdsExtern)) {
    throw failed(
      `The ad-hoc ${item.kind} takes or gives an extern type, which has no values in this runtime; use other types.`,
      {},
    );
  }
  const extern = reachedExtern(program, declaration);
  if (extern === undefined) return;
  throw failed(
    `The ad-hoc ${item.kind} reaches the extern function "${extern}", which this runtime does not provide; do without it.`,
    { function: extern },
  );
}

function failed(message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError('SVC_RUNTIME_ADHOC_PREPARATION_FAILED', message, details);
}
