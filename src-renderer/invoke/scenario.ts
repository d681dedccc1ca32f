/** Calls that were made, as something that can be run again: a `test` block of the module, or a shell script. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import type { HistoryEntry } from '../data/call-history.js';
import { shellQuoted } from '../data/curl.js';
import { isEntity } from '../data/labels.js';
import { literalText, quoted } from '../data/literal.js';
import { shortName } from '../data/locations.js';
import { MAIN } from '../data/place.js';

type Declared = {
  readonly parameters: ServedSchema['queries'][number]['parameters'];
  readonly result: WireType | null;
};
type Dispatch = HistoryEntry['request'] & { readonly kind: 'query' | 'mutation' | 'compute' };

/**
 * The calls in the order in which they were made, the last argument being the name of the test. What they made is known by
 * names; a call that refers to something else that a mutation made stands there as a comment, since a test begins with the
 * ground truth alone.
 */
export function testOf(schema: ServedSchema, entries: readonly HistoryEntry[], name: string): string {
  const names = new Map<string, string>();
  let context: Readonly<Record<string, string>> = {};
  const lines: string[] = [];
  for (const entry of inOrder(entries)) {
    for (const [field, value] of Object.entries(entry.context)) {
      const type = schema.context.find((each) => each.name === field)?.type;
      if (type === undefined || value === '' || context[field] === value) continue;
      lines.push(`set context.${field} = ${literalText(type, value) ?? quoted(value)}`);
    }
    context = entry.context;
    lines.push(...testLines(schema, entry, names));
  }
  return [`test ${quoted(name)} {`, ...lines.map((line) => `  ${line}`), '}', ''].join('\n');
}

function testLines(schema: ServedSchema, entry: HistoryEntry, names: Map<string, string>): string[] {
  const { request, outcome, result } = entry;
  if (request.kind === 'adhoc' || request.kind === 'batch') {
    return [`// a ${request.kind === 'batch' ? 'batch' : 'text that no module declares'} has no form in a test`];
  }
  const declared = declaredOf(schema, request);
  if (declared === undefined) return [`// ${request.path} is not declared any more`];
  const args = argumentTexts(schema, declared, request, names);
  if (args === undefined) return [`// ${shortName(request.path)} refers to something that no call here makes`];
  const call = `${shortName(request.path)}(${args})`;
  if (!outcome.ok)
    return [outcome.code.startsWith('SVC_') ? `expect error ${outcome.code} from ${call}` : `// no answer: ${call}`];
  if (request.kind === 'mutation') return [madeBy(call, result, names)];
  const expected =
    result === undefined || declared.result === null ? undefined : expectable(declared.result, result, names);
  if (request.kind === 'compute') return expected === undefined ? [] : [`expect ${call} == ${expected}`];
  const variable = freshName(names, shortName(request.path));
  names.set(`query ${variable}`, variable);
  return expected === undefined
    ? [`let ${variable} = ${call}`]
    : [`let ${variable} = ${call}`, `expect ${variable} == ${expected}`];
}

/** A call, behind `let` where it made something that later calls may refer to. */
function madeBy(call: string, result: JsonValue | undefined, names: Map<string, string>): string {
  if (result === undefined || !isEntity(result) || !result.$id.startsWith('#') || names.has(result.$id)) return call;
  const variable = freshName(names, shortName(result.$meta.type));
  names.set(result.$id, variable);
  return `let ${variable} = ${call}`;
}

/** What a result can be compared with: one plain value. */
function expectable(type: WireType, result: JsonValue, names: ReadonlyMap<string, string>): string | undefined {
  const inner = type.kind === 'optional' ? type.of : type;
  if (result === null || (inner.kind !== 'scalar' && inner.kind !== 'enum' && inner.kind !== 'class')) return undefined;
  return literalText(inner, result, (id) => names.get(id));
}

function argumentTexts(
  schema: ServedSchema,
  declared: Declared,
  request: Dispatch,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const texts: string[] = [];
  for (const { name, type } of declared.parameters) {
    const value = request.args[name];
    if (value === undefined) continue;
    const text = literalText(type, value, (id) => names.get(id));
    if (text === undefined || isUnknown(schema, type, value)) return undefined;
    texts.push(`${name}: ${text}`);
  }
  return texts.join(', ');
}

/** A declared individual that the module does not declare: a test that names it does not compile. */
function isUnknown(schema: ServedSchema, type: WireType, value: JsonValue): boolean {
  if (type.kind === 'optional') return isUnknown(schema, type.of, value);
  if (type.kind !== 'class' || typeof value !== 'string' || value.startsWith('#')) return false;
  const name = shortName(value.replace(/^@/, ''));
  return !schema.individuals.some(({ path }) => shortName(path) === name);
}

/** Numbered, so that it is no name of the module. */
function freshName(names: ReadonlyMap<string, string>, word: string): string {
  const stem = word.charAt(0).toLowerCase() + word.slice(1);
  const taken = new Set(names.values());
  let number = 1;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

/**
 * The calls as a script of `entail call`: the address is its argument, the token comes from the environment. What a call made
 * is handed on to the later ones by its id. Where nothing can be called it says so in one line before the first call.
 */
export function scriptOf(entries: readonly HistoryEntry[]): string {
  const names = new Map<string, string>();
  const lines = inOrder(entries).map((entry) => scriptLine(entry, names));
  return `${SCRIPT_HEAD}\n${lines.join('\n')}\n`;
}

/** What the lines below it use: a failing call ends the script with its own words, one that should fail has to do so alike. */
const SCRIPT_HEAD = `#!/bin/sh
# Usage: ENTAIL_TOKEN=… sh scenario.sh http://127.0.0.1:PORT
set -eu
fail() { echo "$1" >&2; exit 1; }
[ $# -eq 1 ] || { echo 'Usage: ENTAIL_TOKEN=… sh scenario.sh http://127.0.0.1:PORT' >&2; exit 2; }
url="$1"
command -v entail > /dev/null || fail 'There is no command entail; "npm link" in the folder of Entail makes it.'
node -e '
  const [url] = process.argv.slice(1);
  const fail = (why) => { console.error(why); process.exit(1); };
  if (!URL.canParse(url) || !/^https?:/.test(url)) fail(url + " is no address; give the one that serve printed.");
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get("token") ?? process.env.ENTAIL_TOKEN ?? "";
  const unreached = () => fail("No answer from " + origin + "; is the server running, and this its address?");
  const answered = ({ error }) => {
    if (error?.details.reason === "token") fail(origin + " does not take the token; set ENTAIL_TOKEN to the one that the server printed.");
    if (error !== undefined) fail(origin + ": " + error.message);
  };
  fetch(origin + "/v1/health", { headers: { authorization: "Bearer " + token } }).then((answer) => answer.json()).then(answered, unreached);
' "$url"
call() { entail call "$url" "$@"; }
id_of() { printf %s "$1" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).result.$id'; }
refused() {
  code="$1"; shift
  if said="$(call "$@" 2>&1)"; then fail "$code was expected, and this was done: $*"; fi
  case "$said" in *$code*) ;; *) fail "$said" ;; esac
}
`;

function scriptLine(entry: HistoryEntry, names: Map<string, string>): string {
  const { request, outcome, result, context, fork } = entry;
  if (request.kind === 'adhoc' || request.kind === 'batch')
    return `# a ${request.kind} call has no form in entail call`;
  const words = [
    shellQuoted(request.path),
    ...Object.entries(request.args).map(([name, value]) => `--arg ${argumentWord(name, value, names)}`),
    ...Object.entries(context)
      .filter(([, value]) => value !== '')
      .map(([field, value]) => `--context ${shellQuoted(`${field}=${value}`)}`),
    ...(fork === MAIN ? [] : [`--fork ${shellQuoted(fork)}`]),
  ].join(' ');
  if (!outcome.ok)
    return outcome.code.startsWith('SVC_') ? `refused ${outcome.code} ${words}` : `# no answer: ${request.path}`;
  if (request.kind !== 'mutation' || !isEntity(result) || !result.$id.startsWith('#')) return `call ${words}`;
  const variable = freshName(names, shortName(result.$meta.type));
  names.set(result.$id, variable);
  // In two steps: a shell sees no failure of a call within the words of another command.
  return `${variable}="$(call ${words})"; ${variable}="$(id_of "$${variable}")"`;
}

/** One word `name=value`; what an earlier call made stands there as its variable. */
function argumentWord(name: string, value: JsonValue, names: ReadonlyMap<string, string>): string {
  const known = typeof value === 'string' ? names.get(value) : undefined;
  if (known !== undefined) return `"${name}=$${known}"`;
  return shellQuoted(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function declaredOf(schema: ServedSchema, { kind, path }: Dispatch): Declared | undefined {
  const all = { query: schema.queries, mutation: schema.mutations, compute: schema.functions }[kind];
  return all.find((each) => each.path === path);
}

/** The history has the latest first. A dry run did nothing. */
function inOrder(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.filter(({ dryRun }) => !dryRun).toSorted((a, b) => a.id - b.id);
}
