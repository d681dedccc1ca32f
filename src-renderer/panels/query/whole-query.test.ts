import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src-runtime/compiler/index.js';
import { formatEdits } from '../../../src-runtime/language/format/index.js';
import { analyse } from '../../../src-runtime/language/service/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { adhocAnalysis } from '../../workspace/analysis-worker.js';
import { sourcesOfSchema } from './schema-source.js';
import { exampleQuery, type SchemaNode, schemaTree } from './schema-tree.js';
import { type ExampleText, exampleText } from './whole-query.js';

const FILE = 'adhoc.entail';

function schemaOf(text: string) {
  const { artifact, diagnostics } = compile([{ file: 'm.entail', text }]);
  if (artifact === undefined) throw new Error(JSON.stringify(diagnostics));
  return servedSchema(artifact);
}

const sample = (name: string) =>
  readFileSync(new URL(`../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');
const lease = schemaOf(sample('lease'));

const allOf = (nodes: readonly SchemaNode[]): SchemaNode[] => nodes.flatMap((node) => [node, ...allOf(node.children)]);

/** With `|` at the cursor. */
const withCursor = ({ text, cursor }: ExampleText) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

function queryOf(id: string, schema = lease): string {
  const parts = allOf(schemaTree(schema)).find((node) => node.id === id)?.query;
  if (parts === undefined) throw new Error(`No query for ${id}.`);
  return withCursor(exampleText(parts, schema));
}

describe('an example query', () => {
  it('selects the individuals of a concept, or one field of them', () => {
    expect(queryOf('lease::Lease')).toBe('query all() -> [Lease] {\n  select lease where Lease(lease)|\n}');
    expect(queryOf('lease::Lease.rent')).toBe(
      'query all() -> [{ lease: Lease, rent: Decimal }] {\n  select { lease: lease, rent: lease.rent }\n  where Lease(lease)|\n}',
    );
  });

  it('selects the rows of a relation, or its only column', () => {
    expect(queryOf('lease::paid')).toBe(
      'query all() -> [{ lease: Lease, month: Date, amount: Decimal }] {\n  select { lease: lease, month: month, amount: amount }\n  where paid(lease, month, amount)|\n}',
    );
    expect(queryOf('lease::active')).toMatch(
      /^query all\(\) -> \[Lease\] \{\n {2}select (\w+) where active\(\1\)\|\n\}$/,
    );
  });

  it('has the parameters of the function that it calls', () => {
    const schema = schemaOf('module m\npub fn twice(x: Int, y: Int = 2) -> Int = x * y');
    expect(queryOf('m::twice', schema)).toBe('query all(x: Int, y: Int) -> Int {\n  value twice(x, y)|\n}');
  });

  it('uses free names for its variables', () => {
    const schema = schemaOf(
      'module m\nconcept Context { name: Text }\npub query all() -> [Context] { select c where Context(c) }',
    );
    expect(queryOf('m::Context', schema)).toBe('query all2() -> [Context] {\n  select it where Context(it)|\n}');
  });

  it.each(['access', 'lease', 'licences', 'pointsto', 'supply', 'transit'])(
    'compiles and is formatted, for every name of %s',
    (name) => {
      const schema = schemaOf(sample(name));
      const declarations = sourcesOfSchema(schema).own;
      const parts = allOf(schemaTree(schema)).flatMap((node) => node.query ?? []);
      expect(parts).not.toEqual([]);
      for (const { text } of [exampleQuery(schema), ...parts.map((each) => exampleText(each, schema))]) {
        const analysis = analyse([{ file: FILE, text: declarations + text }]);
        expect([text, adhocAnalysis(analysis, FILE, declarations.length).diagnostics]).toEqual([text, []]);
        expect(formatEdits(FILE, `module m\n\n${text}\n`), text).toEqual([]);
      }
    },
  );

  it('is a sum if the module has no concept', () => {
    expect(withCursor(exampleQuery(schemaOf('module m')))).toBe('query all() -> Int {\n  value 1 + 1|\n}');
  });
});
