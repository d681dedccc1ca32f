/** For any input bytes, decoding returns the artifact or one sentence that describes the error. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from '../base/canonical.js';
import { bodyFault } from './bodies.js';
import { decodeArtifact } from './decode.js';
import { encodeArtifact, sealArtifact } from './encode.js';
import { integrityOf } from './identity.js';
import type { Artifact } from './types.js';

const position = { line: 1, column: 1, offset: 0 };
const span = { file: 'm.entail', start: position, end: position };

const artifact = sealArtifact({
  compiler: 'test 1',
  modules: [{ name: 'm', file: 'm.entail' }],
  schema: {
    enums: [],
    concepts: [{ path: 'm::A', public: true, parent: null, fields: [], span }],
    relations: [
      {
        path: 'm::r',
        public: true,
        endpoints: [{ name: 'a', type: { kind: 'class', path: 'm::A' }, functional: false }],
        span,
      },
    ],
    externTypes: [],
    context: [],
  },
  individuals: [{ path: 'm::a', public: true, concept: 'm::A', fields: [], span }],
  facts: [{ relation: 'm::r', tuple: ['@m::a'], span }],
  rules: [],
  defines: [],
  checks: [],
  queries: [],
  mutations: [],
  functions: [
    { path: 'm::f', public: true, parameters: [], result: { kind: 'scalar', name: 'Int' }, body: { op: 'none' }, span },
  ],
});

/** A copy with one member changed; `signed` recomputes the identities. */
function changed(change: (document: Record<string, unknown>) => void, sign = true): string {
  const document = JSON.parse(canonicalText(artifact)) as Record<string, unknown>;
  change(document);
  if (sign) document['integrity'] = integrityOf(document as unknown as Artifact);
  return JSON.stringify(document);
}

describe('decoding', () => {
  it('returns the encoded artifact, from bytes and from text in any layout', () => {
    expect(decodeArtifact(encodeArtifact(artifact))).toEqual({ ok: true, artifact });
    expect(decodeArtifact(JSON.stringify(artifact, null, 2))).toEqual({ ok: true, artifact });
  });

  it.each([[{ op: 'fromTheFuture' }], [{}], [[]], [null], [1], ['x']])(
    'accepts the body %j, which faults when it runs',
    (body) => {
      const strange = changed((document) => {
        (document['functions'] as { body: unknown }[])[0] = { ...artifact.functions[0], body };
      });
      const decoded = decodeArtifact(strange);
      expect(decoded.ok && bodyFault('expression', decoded.artifact.functions[0]?.body ?? {})).toMatch(/^the body /);
    },
  );

  it.each([
    ['text that is not JSON', 'not json', 'it is not JSON'],
    ['another JSON document', '[]', 'the document is not a JSON object'],
    ['another format', changed((document) => (document['format'] = 'x')), 'its `format` is not "entail-artifact"'],
    ['another version', changed((document) => (document['formatVersion'] = 9)), 'its format version is 9'],
    ['no integrity', changed((document) => delete document['integrity'], false), 'it has no `integrity`'],
    [
      'a changed document',
      changed((document) => (document['compiler'] = 'x'), false),
      'its contents do not match its `integrity`',
    ],
    ['a missing part', changed((document) => delete document['rules']), '`rules`: '],
    [
      'an invalid type',
      changed((document) => {
        (document['functions'] as unknown[])[0] = {
          ...artifact.functions[0],
          result: { kind: 'scalar', name: 'Float' },
        };
      }),
      '`functions[0].result.name`: ',
    ],
  ])('rejects %s', (_, text, reason) => {
    const decoded = decodeArtifact(text);
    expect(decoded).toEqual({ ok: false, message: expect.stringContaining(`Not a valid artifact: ${reason}`) });
  });

  it('rejects bytes that are not UTF-8', () => {
    const decoded = decodeArtifact(new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(decoded).toEqual({ ok: false, message: 'Not a valid artifact: it is not UTF-8 text' });
  });

  it('never throws', () => {
    const documents = fc.oneof(
      fc.uint8Array(),
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.jsonValue().map((value) => changed((document) => (document['schema'] = value), false)),
    );
    fc.assert(
      fc.property(documents, (document) => {
        expect(decodeArtifact(document).ok).toBe(false);
      }),
      { seed: 20260131, numRuns: 500 },
    );
  });
});
