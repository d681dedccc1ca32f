import { expect, it } from 'vitest';
import { compile } from './index.js';
import { partialCompiler } from './partial.js';

const GOOD = `module m
concept A { name: Text }
relation r(a: A, b: A)
derive near(a: A, b: A) when r(a, b)
derive near(a: A, b: A) when near(a, c), r(c, b)
derive far(a: A) when A(a), not near(a, a)
/// Loops.
check loops(a: A) when near(a, a) severity warning message "loop"
query all() -> [A] { select a where A(a) }
test "empty" { expect count(for a where A(a)) == 0 }
`;

const compiled = (text: string) => partialCompiler()([{ file: 'm.entail', text }]);
const named = ({ unavailable }: ReturnType<typeof compiled>) => unavailable.map(({ declaration }) => declaration.name);
const rules = ({ artifact }: ReturnType<typeof compiled>) => artifact?.rules.map(({ path }) => path);

it('compiles texts without errors to the same artifact', () => {
  const { artifact, unavailable } = compiled(GOOD);
  expect(artifact).toEqual(compile([{ file: 'm.entail', text: GOOD }]).artifact);
  expect(unavailable).toEqual([]);
});

it('leaves out all clauses of a rule with an error, and what uses it', () => {
  const found = compiled(GOOD.replace('near(a, c), r(c, b)', 'near(a, c), q(c, b)'));
  expect(rules(found)).toEqual([]);
  expect(named(found)).toEqual(['near', 'near', 'far', 'loops']);
  expect(found.unavailable.map(({ why }) => why.code)).toEqual(['E0101', 'E0101', 'E0101', 'E0101']);
  expect(found.diagnostics).toHaveLength(1);
  expect(found.artifact?.queries.map(({ path }) => path)).toEqual(['m::all']);
});

it('leaves out a rule with a clause that cannot be read', () => {
  const found = compiled(GOOD.replace('when near(a, c), r(c, b)', 'when near(a, c), r(c, '));
  expect(rules(found)).toEqual([]);
  expect(named(found)).toContain('near');
  expect(named(found)).toContain('far');
});

it('keeps everything if only a word between declarations cannot be read', () => {
  const found = compiled(GOOD.replace('/// Loops.', 'der\n\n/// Loops.'));
  expect(rules(found)).toEqual(['m::far', 'm::near']);
});

it('has nothing of a module without a name', () => {
  const found = compiled(GOOD.replace('module m', 'module'));
  expect(rules(found)).toEqual([]);
  expect(named(found)).toContain('near');
});

it('finds the declaration around an offset, or before it', () => {
  const { declarationAt } = compiled(GOOD);
  const at = (text: string) => declarationAt('m.entail', GOOD.indexOf(text))?.name;
  expect(at('r(c, b)')).toBe('near');
  expect(at('not near')).toBe('far');
  expect(at('Loops.')).toBe('loops');
  expect(at('expect count')).toBe('empty');
  expect(declarationAt('m.entail', GOOD.length)?.kind).toBe('test');
  expect(at('module m')).toBeUndefined();
  expect(declarationAt('other.entail', 0)).toBeUndefined();
});

it('lists the conditions of all clauses as written', () => {
  const near = compiled(GOOD).declarationAt('m.entail', GOOD.indexOf('r(c, b)'));
  const texts = near?.clauses.map(({ conditions }) =>
    conditions.map(({ start, end }) => GOOD.slice(start.offset, end.offset)),
  );
  expect(texts).toEqual([['r(a, b)'], ['near(a, c)', 'r(c, b)']]);
});

it('finds no older declaration where a new one cannot be read', () => {
  const text = GOOD.replace('/// Loops.', 'derive (\n\n/// Loops.');
  expect(compiled(text).declarationAt('m.entail', text.indexOf('derive (') + 8)?.name).not.toBe('far');
});
