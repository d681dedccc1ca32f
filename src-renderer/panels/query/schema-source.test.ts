import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { analyse, completionsAt, hoverAt } from '../../../src-runtime/language/service/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { sourcesOfSchema } from './schema-source.js';

const text = (name: string) =>
  readFileSync(new URL(`../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');

function schemaOf(source: string): ServedSchema {
  const { artifact, diagnostics } = compile([{ file: 'm.entail', text: source }]);
  if (artifact === undefined) throw new Error(JSON.stringify(diagnostics));
  return servedSchema(artifact);
}

/** Two modules, one of which imports the other. */
const SHOPS = `module stock
pub concept Part { name: Text, kind: Kind = spare }
pub enum Kind { spare, whole }
concept Secret { name: Text }
pub relation needs(whole: Part, part: Part)
pub derive costly(p: Part) when Part(p)
pub individual bolt: Part { name: "Bolt" }`;
const SHOP = `module shop
use stock::{Part, costly}
concept Shop { best: Part?, kinds: stock::Kind = stock::Kind::whole }
relation sells(shop: Shop, part: stock::Part)
define Dear(s: Shop) when sells(s, p), costly(p)
query shops(of: Part) -> [Shop] { select s where sells(s, of) }`;

function servedOf(...texts: readonly string[]): ServedSchema {
  const { artifact, diagnostics } = compile(texts.map((each, at) => ({ file: `${at}.entail`, text: each })));
  if (artifact === undefined) throw new Error(JSON.stringify(diagnostics));
  return servedSchema(artifact);
}

describe('the schema of several modules', () => {
  const schema = servedOf(SHOPS, SHOP);
  const within = (module: string, adhoc: string) => {
    const { own, others } = sourcesOfSchema(schema, module);
    return { own, analysis: analyse([{ file: 'adhoc.entail', text: own + adhoc }, ...others]) };
  };
  const wrong = (module: string, adhoc: string): string[] => {
    const { own, analysis } = within(module, adhoc);
    return analysis.diagnostics
      .filter(
        ({ severity, span }) => severity === 'error' && span.file === 'adhoc.entail' && span.start.offset >= own.length,
      )
      .map(({ code }) => code);
  };

  it('compiles without errors', () => {
    for (const module of ['stock', 'shop']) {
      const { analysis } = within(module, '');
      expect(analysis.diagnostics.filter(({ code }) => /^E0[01]/.test(code))).toEqual([]);
    }
  });

  it('resolves own and imported names, and public names of other modules by path', () => {
    const text = 'query q(p: Part) -> [Shop] { select s where Dear(s), sells(s, p), costly(p), stock::needs(_, p) }';
    expect(wrong('shop', text)).toEqual([]);
    expect(wrong('shop', 'query q() -> [Shop] { select s where sells(s, p), needs(_, p) }')).toEqual(['E0101']);
    expect(wrong('shop', 'query q() -> [stock::Secret] { select s where stock::Secret(s) }')).toContain('E0103');
    expect(wrong('stock', 'query q() -> [Secret] { select s where Secret(s) }')).toEqual([]);
  });

  it('completes unimported names by path', () => {
    const adhoc = 'query q() -> [Shop] { select s where sells(s, p), ';
    const { own, analysis } = within('shop', adhoc);
    const { items } = completionsAt(analysis, 'adhoc.entail', own.length + adhoc.length);
    expect(items.find(({ label }) => label === 'needs')).toMatchObject({ qualified: 'stock::needs' });
    expect(items.find(({ label }) => label === 'costly')?.qualified).toBeUndefined();
  });
});

function behind(schema: ServedSchema, adhoc: string) {
  const base = sourcesOfSchema(schema).own;
  const file = { file: 'adhoc.entail', text: base + adhoc };
  return { base, analysis: analyse([file]) };
}

/** Findings of a text after the schema of the sample. */
function findings(adhoc: string): string[] {
  const { base, analysis } = behind(schemaOf(text('lease')), adhoc);
  return analysis.diagnostics
    .filter(({ severity, span }) => severity === 'error' && span.start.offset >= base.length)
    .map(({ code, message }) => `${code} ${message}`);
}

describe('a schema as source', () => {
  it.each(['lease', 'access', 'pointsto', 'supply', 'licences', 'transit'])(
    'of %s can be read, with every name that it had',
    (name) => {
      const schema = schemaOf(text(name));
      const { analysis } = behind(schema, '');
      expect(analysis.diagnostics.filter(({ code }) => code.startsWith('E00'))).toEqual([]);
      const known = new Set(analysis.program.symbols.map(({ path }) => path));
      const declared = [
        ...schema.concepts,
        ...schema.relations,
        ...schema.queries,
        ...schema.mutations,
        ...schema.defines,
      ];
      expect(declared.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
    },
  );

  it('accepts a correct text, and reports a wrong one', () => {
    expect(
      findings('query q(least: Decimal) -> [Lease] { select l where active(l), l.rent >= least, l.status == signed }'),
    ).toEqual([]);
    expect(findings('derive pair(a: Person, b: Party) when worksFor(a, b), not liable(b, _)')).toEqual([]);
    expect(findings('mutation m(p: Person) { let l = sign(p, "X", 10) set l.rent = 5 }')).toEqual([]);
    expect(findings('query q() -> [Lease] { select l where activ(l) }')).toEqual([
      expect.stringMatching(/^E01.*activ/),
    ]);
    expect(findings('query q() -> [Text] { select l.rent where active(l) }')).toEqual([expect.stringMatching(/^E02/)]);
  });

  it('completes fields and relations, with their types', () => {
    const adhoc = 'query q() -> [Lease] { select l where active(l), l.';
    const { base, analysis } = behind(schemaOf(text('lease')), adhoc);
    const offers = completionsAt(analysis, 'adhoc.entail', base.length + adhoc.length);
    expect(offers.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['rent', 'status', 'tenants']));
    const hover = hoverAt(analysis, 'adhoc.entail', base.length + adhoc.indexOf('active') + 1);
    expect(hover).toMatchObject({
      signature: expect.stringContaining('derive active(l: Lease)'),
      doc: expect.any(String),
    });
  });
});
