/** A call as code: shell, TypeScript or Python. It reads the token from the environment. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type CallRequest, isWrite, type SentCall } from './calls.js';
import { curlOf, httpOf, shellQuoted } from './curl.js';
import { MAIN } from './place.js';

export interface CallCode {
  readonly name: string;
  /** Written on request: arguments may have megabytes. */
  readonly text: () => string;
  /** For a shell. */
  readonly isCommand?: true;
}

/** In all available formats; `baseUrl` is undefined if the page does not know the server's URL. */
export function codesOf(call: SentCall, baseUrl: string | undefined): CallCode[] {
  const { request } = call;
  return [
    { name: 'curl', text: () => curlOf(call, baseUrl), isCommand: true },
    // Ad-hoc texts and batches have no path.
    ...(request.kind === 'adhoc' || request.kind === 'batch'
      ? []
      : [{ name: 'entail call', text: () => commandLineOf(call, request, baseUrl), isCommand: true as const }]),
    { name: 'TypeScript', text: () => typescriptOf(call, baseUrl) },
    { name: 'Python', text: () => pythonOf(call, baseUrl) },
    { name: 'JSON', text: () => JSON.stringify(httpOf(call).body, null, 2) },
  ];
}

type PathRequest = Exclude<CallRequest, { readonly kind: 'adhoc' | 'batch' }>;

function commandLineOf({ context, fork, dryRun }: SentCall, request: PathRequest, baseUrl: string | undefined): string {
  const word = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return [
    'entail call',
    baseUrl === undefined ? '"$ENTAIL_URL"' : shellQuoted(baseUrl),
    shellQuoted(request.path),
    ...Object.entries(request.args).map(([name, value]) => `--arg ${shellQuoted(`${name}=${word(value)}`)}`),
    ...Object.entries(context)
      .filter(([, value]) => value !== '')
      .map(([field, value]) => `--context ${shellQuoted(`${field}=${value}`)}`),
    ...(fork === MAIN ? [] : [`--fork ${shellQuoted(fork)}`]),
    ...(dryRun && isWrite(request) ? ['--dry-run'] : []),
  ].join(' ');
}

function typescriptOf(call: SentCall, baseUrl: string | undefined): string {
  const { address, headers, body } = httpOf(call);
  const url = baseUrl === undefined ? `\`\${process.env.ENTAIL_URL}${address}\`` : quoted(`${baseUrl}${address}`);
  return `const response = await fetch(${url}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.ENTAIL_TOKEN}\`,
${headers.map(([name, value]) => `    ${quoted(name)}: ${nodeHeader(value, quoted)},`).join('\n')}
  },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),
});
const { result, error } = await response.json();
if (error !== undefined) throw new Error(\`\${error.code}: \${error.message}\`);
console.log(result);
`;
}

function pythonOf(call: SentCall, baseUrl: string | undefined): string {
  const { address, headers, body } = httpOf(call);
  const url =
    baseUrl === undefined ? `os.environ["ENTAIL_URL"] + ${JSON.stringify(address)}` : JSON.stringify(baseUrl + address);
  return `import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    ${url},
    method="POST",
    headers={
        "authorization": f"Bearer {os.environ['ENTAIL_TOKEN']}",
${headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${pythonHeader(value)},`).join('\n')}
    },
    data=json.dumps(${pythonText(body as JsonValue, '    ')}).encode(),
)
try:
    print(json.load(urllib.request.urlopen(request))["result"])
except urllib.error.HTTPError as failure:
    raise SystemExit(json.load(failure)["error"])
`;
}

/** A header in Node, which accepts one character per byte: other text is encoded as UTF-8 bytes, as the page sends it. */
export function nodeHeader(value: string, literal: (text: string) => string): string {
  return isPlain(value) ? literal(value) : `Buffer.from(${literal(value)}).toString('latin1')`;
}

function pythonHeader(value: string): string {
  return isPlain(value) ? JSON.stringify(value) : `${JSON.stringify(value)}.encode().decode("latin-1")`;
}

function isPlain(value: string): boolean {
  return /^[ -~]*$/.test(value);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** A Python literal: JSON except for three keywords. */
function pythonText(value: JsonValue, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${pythonText(item, inner)},`).join('\n')}\n${indent}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const lines = members.map(([name, member]) => `${inner}${JSON.stringify(name)}: ${pythonText(member, inner)},`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
