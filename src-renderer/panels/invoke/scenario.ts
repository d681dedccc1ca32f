/** Turns calls into a `test` block of the module, or into a shell script. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { shellQuoted } from '../../model/calls/curl.js';
import { readValue } from '../../model/calls/form-model.js';
import { MAIN } from '../../model/calls/place.js';
import { isEntity } from '../../model/facts/labels.js';
import { literalText, quoted } from '../../model/facts/literal.js';
import { shortName } from '../../model/facts/locations.js';
import type { HistoryEntry } from '../../server-state/call-history.js';
import { ownValue } from '../../state/own-value.js';

type Declared = {
  readonly parameters: ServedSchema['queries'][number]['parameters'];
  readonly result: WireType | null;
};
type Dispatch = HistoryEntry['request'] & { readonly kind: 'query' | 'mutation' | 'compute' };
/** Names of created individuals, by `nameKey`. */
type Names = Map<string, string>;
/** A value as source text. */
type Write = (type: WireType, value: JsonValue) => string | undefined;

/**
 * A test block with the calls in order. Created individuals get names. A call that refers to other individuals becomes
 * a comment, because a test starts from ground truth alone.
 */
export function testOf(schema: ServedSchema, entries: readonly HistoryEntry[], name: string): string {
  const names: Names = new Map();
  let context: Readonly<Record<string, string>> = {};
  const lines: string[] = [];
  for (const entry of inOrder(entries)) {
    lines.push(...contextLines(schema, context, entry.context), ...testLines(schema, entry, names));
    context = entry.context;
  }
  return [`test ${quoted(name)} {`, ...withoutUnused(lines).map((line) => `  ${line}`), '}', ''].join('\n');
}

/** Context fields that differ from the call before. */
function contextLines(
  schema: ServedSchema,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return schema.context.flatMap(({ name, type }) => {
    const value = ownValue(now, name) ?? '';
    if (value === (ownValue(before, name) ?? '')) return [];
    if (value === '') return type.kind === 'optional' ? [`set context.${name} = none`] : [];
    const read = readValue(type, value, name);
    return [`set context.${name} = ${(read.ok ? literalText(type, read.value) : undefined) ?? quoted(value)}`];
  });
}

/** Prefixes unused names with `_`, because the compiler warns of them. */
function withoutUnused(lines: readonly string[]): string[] {
  return lines.map((line, place) => {
    const name = /^let (\w+) = /.exec(line)?.[1];
    const isUsed = name === undefined || lines.slice(place + 1).some((later) => later.split(/\W+/).includes(name));
    return isUsed ? line : line.replace('let ', 'let _');
  });
}

function testLines(schema: ServedSchema, entry: HistoryEntry, names: Names): string[] {
  const { request, outcome, result } = entry;
  if (request.kind === 'adhoc' || request.kind === 'batch') {
    return [`// a test cannot contain ${request.kind === 'batch' ? 'a batch' : 'an ad-hoc text'}`];
  }
  const declared = declaredOf(schema, request);
  if (declared === undefined) return [`// ${request.path} is no longer declared`];
  const write: Write = (type, value) =>
    literalText(type, value, (id) => names.get(nameKey(entry, id)), namedIn(schema));
  if (!outcome.ok && isMiscalled(schema, declared, request))
    return [`// ${shortName(request.path)} was called in a way that a test cannot repeat: ${outcome.code}`];
  const args = argumentTexts(schema, declared, request, write);
  if (args === undefined)
    return [`// ${shortName(request.path)} refers to an individual that none of these calls creates`];
  const call = `${namedIn(schema)(request.path)}(${args})`;
  if (!outcome.ok) return [failureLine(request.kind, call, outcome.code)];
  if (request.kind === 'mutation') return [callWithLet(call, entry, names)];
  const expected =
    result === undefined || declared.result === null ? undefined : expectable(declared.result, result, write);
  if (request.kind === 'compute') return expected === undefined ? [] : [`expect ${call} == ${expected}`];
  const variable = freshName(names, shortName(request.path));
  names.set(`query ${variable}`, variable);
  return expected === undefined
    ? [`let ${variable} = ${call}`]
    : [`let ${variable} = ${call}`, `expect ${variable} == ${expected}`];
}

/** With several modules, the test may go into any of them, so names are qualified. */
function namedIn({ modules, individuals }: ServedSchema): (path: string) => string {
  if (modules.length < 2) return shortName;
  return (path) => individuals.find((each) => each.path === path || shortName(each.path) === path)?.path ?? path;
}

/** Whether an argument is undeclared or has the wrong type. Such a test would not compile. */
function isMiscalled(schema: ServedSchema, { parameters }: Declared, { args }: Dispatch): boolean {
  const isKnown = (name: string) => parameters.some((parameter) => parameter.name === name);
  if (!Object.keys(args).every(isKnown)) return true;
  return parameters.some(({ name, type, required }) => {
    const value = ownValue(args, name);
    if (value === undefined) return required;
    return (
      literalText(type, value, () => 'anyone') === undefined ||
      (type.kind !== 'class' && isUnknown(schema, type, value))
    );
  });
}

function failureLine(kind: Dispatch['kind'], call: string, code: string): string {
  if (!code.startsWith('SVC_')) return `// no response: ${call}`;
  // A test can expect errors of mutations and queries only.
  return kind === 'compute' ? `// ${code} from ${call}` : `expect error ${code} from ${call}`;
}

/** The call, with a `let` if it created an individual that later calls may use. */
function callWithLet(call: string, entry: HistoryEntry, names: Names): string {
  const { result } = entry;
  if (result === undefined || !isEntity(result) || !result.$id.startsWith('#')) return call;
  const key = nameKey(entry, result.$id);
  if (names.has(key)) return call;
  const variable = freshName(names, shortName(result.$meta.type));
  names.set(key, variable);
  return `let ${variable} = ${call}`;
}

/** The same id is another individual for another tenant. */
function nameKey({ context }: HistoryEntry, id: string): string {
  return `${id} ${context['tenantId'] ?? ''}`;
}

/** A longer list is unreadable in a test, and may be one page of several. */
const EXPECTED_ROWS_MAX = 20;

/** The expected result. Undefined if the module has no literal for it. */
function expectable(type: WireType, result: JsonValue, write: Write): string | undefined {
  const inner = type.kind === 'optional' ? type.of : type;
  if (result === null || (Array.isArray(result) && result.length > EXPECTED_ROWS_MAX)) return undefined;
  return write(inner, result);
}

function argumentTexts(schema: ServedSchema, declared: Declared, request: Dispatch, write: Write): string | undefined {
  const texts: string[] = [];
  for (const { name, type } of declared.parameters) {
    const value = ownValue(request.args, name);
    if (value === undefined) continue;
    const text = write(type, value);
    if (text === undefined || isUnknown(schema, type, value)) return undefined;
    texts.push(`${name}: ${text}`);
  }
  return texts.join(', ');
}

/** Whether the value names an individual or member that the module does not declare. The test would not compile. */
function isUnknown(schema: ServedSchema, type: WireType, value: JsonValue): boolean {
  if (type.kind === 'optional') return value !== null && isUnknown(schema, type.of, value);
  if (type.kind === 'list') return Array.isArray(value) && value.some((item) => isUnknown(schema, type.of, item));
  if (type.kind === 'record') {
    const members = value as Readonly<Record<string, JsonValue>>;
    return type.fields.some((field) => isUnknown(schema, field.type, ownValue(members, field.name) ?? null));
  }
  if (type.kind === 'enum') {
    const members = schema.enums.find(({ path }) => path === type.path)?.members ?? [];
    return !members.some(({ name }) => name === value);
  }
  if (type.kind !== 'class' || typeof value !== 'string' || value.startsWith('#')) return false;
  const name = shortName(value.replace(/^@/, ''));
  return !schema.individuals.some(({ path }) => shortName(path) === name);
}

/** Numbered until no declaration has the name. */
function freshName(names: Names, word: string): string {
  const stem = word.charAt(0).toLowerCase() + word.slice(1);
  const taken = new Set(names.values());
  let number = 1;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

/**
 * A shell script of `entail call`. Its argument is the address, and the token comes from the environment. Ids of
 * created individuals are passed on in variables. It checks the server before the first call. A call on a closed fork
 * is made on `main`.
 */
export function scriptOf(
  entries: readonly HistoryEntry[],
  isClosed: (entry: HistoryEntry) => boolean = () => false,
): string {
  const names: Names = new Map();
  const lines = inOrder(entries).flatMap((entry) => {
    if (!isClosed(entry)) return [scriptLine(entry, names)];
    return [
      `# called on fork ${JSON.stringify(entry.fork)}, which is closed`,
      scriptLine({ ...entry, fork: MAIN }, names),
    ];
  });
  return `${SCRIPT_HEAD}\n${lines.join('\n')}\n`;
}

/**
 * Functions for the calls below. A failed call ends the script with its message, and so does one that should fail and
 * succeeds.
 */
const SCRIPT_HEAD = `#!/bin/sh
# Usage: ENTAIL_TOKEN=… sh scenario.sh http://127.0.0.1:PORT
set -eu
fail() { echo "$1" >&2; exit 1; }
[ $# -eq 1 ] || { echo 'Usage: ENTAIL_TOKEN=… sh scenario.sh http://127.0.0.1:PORT' >&2; exit 2; }
url="$1"
command -v entail > /dev/null || fail 'Command entail not found. Run "npm link" in the Entail folder.'
node -e '
  const [url] = process.argv.slice(1);
  const fail = (why) => { console.error(why); process.exit(1); };
  if (!URL.canParse(url) || !/^https?:/.test(url)) fail(url + " is not a server address. Use the one that serve printed.");
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get("token") ?? process.env.ENTAIL_TOKEN ?? "";
  const unreached = () => fail("No response from " + origin + ". Is the server running at this address?");
  const report = ({ error }) => {
    if (error?.details.reason === "token") fail(origin + " rejected the token. Set ENTAIL_TOKEN to the token that the server printed.");
    if (error !== undefined) fail(origin + ": " + error.message);
  };
  fetch(origin + "/v1/health", { headers: { authorization: "Bearer " + token } }).then((response) => response.json()).then(report, unreached);
' "$url"
call() { entail call "$url" "$@"; }
id_of() { printf %s "$1" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).result.$id'; }
refused() {
  code="$1"; shift
  if said="$(call "$@" 2>&1)"; then fail "Expected $code, but this call succeeded: $*"; fi
  case "$said" in *$code*) ;; *) fail "$said" ;; esac
}
`;

function scriptLine(entry: HistoryEntry, names: Names): string {
  const nameOf = (id: string) => names.get(nameKey(entry, id));
  const { request, outcome, result, context, fork } = entry;
  if (request.kind === 'adhoc' || request.kind === 'batch') return `# entail call cannot send a ${request.kind} call`;
  const words = [
    shellQuoted(request.path),
    ...Object.entries(request.args).map(([name, value]) => `--arg ${argumentWord(name, value, nameOf)}`),
    ...Object.entries(context)
      .filter(([, value]) => value !== '')
      .map(([field, value]) => `--context ${shellQuoted(`${field}=${value}`)}`),
    ...(fork === MAIN ? [] : [`--fork ${shellQuoted(fork)}`]),
  ].join(' ');
  if (!outcome.ok)
    return outcome.code.startsWith('SVC_') ? `refused ${outcome.code} ${words}` : `# no response: ${request.path}`;
  if (request.kind !== 'mutation' || !isEntity(result) || !result.$id.startsWith('#')) return `call ${words}`;
  const variable = freshName(names, shortName(result.$meta.type));
  names.set(nameKey(entry, result.$id), variable);
  // Two statements, because the shell ignores a failure in a command substitution within another command.
  return `${variable}="$(call ${words})"; ${variable}="$(id_of "$${variable}")"`;
}

/** One word `name=value`. Ids of created individuals become variables, also within lists. */
function argumentWord(name: string, value: JsonValue, nameOf: (id: string) => string | undefined): string {
  const known = typeof value === 'string' ? nameOf(value) : undefined;
  if (known !== undefined) return `"${name}=$${known}"`;
  if (typeof value === 'string') return shellQuoted(`${name}=${value}`);
  const pieces = `${name}=${JSON.stringify(value)}`.split(ID_IN_JSON).map((piece) => {
    const variable = piece.startsWith('#') ? nameOf(piece) : undefined;
    return variable === undefined ? shellQuoted(piece) : `"$${variable}"`;
  });
  return pieces.join('');
}

/** Compact JSON, as the shell sees it. Quotes within a string are escaped. */
const ID_IN_JSON = /(?<=[[:,]")(#i\d+)(?=")/;

function declaredOf(schema: ServedSchema, { kind, path }: Dispatch): Declared | undefined {
  const all = { query: schema.queries, mutation: schema.mutations, compute: schema.functions }[kind];
  return all.find((each) => each.path === path);
}

/** Oldest first, without dry runs. */
function inOrder(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.filter(({ dryRun }) => !dryRun).toSorted((a, b) => a.id - b.id);
}
