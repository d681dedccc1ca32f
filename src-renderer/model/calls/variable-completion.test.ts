/** Completion between braces. `|` marks the cursor. */

import { describe, expect, it } from 'vitest';
import { generatedCompletions } from './generated-variables.js';
import { begunReference, completedText, completionsOf } from './variable-completion.js';

function begun(marked: string) {
  const text = marked.replace('|', '');
  return { text, reference: begunReference(text, marked.indexOf('|')) };
}

/** With `lease` selected. */
function completed(marked: string, isJson = false): string {
  const { text, reference } = begun(marked);
  if (reference === undefined) return marked;
  const put = completedText(text, reference, 'lease', isJson);
  return text.slice(0, put.from) + put.text + text.slice(reference.to);
}

describe('a reference that is being typed', () => {
  it.each([
    ['{{|', ''],
    ['a {{le|', 'le'],
    ['{{ le|', 'le'],
    ['{{a}} and {{b|}} c', 'b'],
    ['\\\\{{le|', 'le'],
  ])('%s has the name %j', (marked, typed) => expect(begun(marked).reference?.typed).toBe(typed));

  it.each(['{|', '{{a}}|', '{{a b|', '\\{{le|', '{{\n|', 'le|'])('%s is none', (marked) =>
    expect(begun(marked).reference).toBeUndefined(),
  );

  it.each([
    ['a {{le| b', 'a {{lease}} b'],
    ['{{le|ft}} b', '{{lease}} b'],
    ['\\\\{{|', '\\\\{{lease}}'],
    ['{{|other', '{{lease}}other'],
  ])('%s becomes %s', (marked, text) => expect(completed(marked)).toBe(text));

  it.each([
    ['{ "code": "{{|" }', '{ "code": "{{lease}}" }'],
    ['{ "code": {{| }', '{ "code": "{{lease}}" }'],
    ['{ "a\\"": {{| }', '{ "a\\"": "{{lease}}" }'],
  ])('in JSON %s becomes %s', (marked, text) => expect(completed(marked, true)).toBe(text));
});

describe('what is offered', () => {
  const variables = { tenant: 'acme', q10: '', q2: '', lease: 'L1', subLease: 'L2' };
  const names = (typed: string) =>
    completionsOf(typed, variables).map(({ kind, name }) => (kind === 'define' ? `define ${name}` : name));

  it('is every name at first, in natural order', () =>
    expect(names('')).toEqual(['lease', 'q2', 'q10', 'subLease', 'tenant']));
  it('is what begins so, then what has it elsewhere, then a new one', () =>
    expect(names('LEASE')).toEqual(['lease', 'subLease', 'define LEASE']));
  it('is no new one of a name that is there, or that fits none', () => {
    expect(names('tenant')).toEqual(['tenant']);
    expect(names('1a')).toEqual([]);
  });
  it('is what is made as it is sent too, where it fits: by its sign, its name, and days from today', () => {
    const made = (typed: string, name: 'Text' | 'Int' | 'Date') =>
      completionsOf(typed, variables, generatedCompletions(typed, { kind: 'scalar', name })).map((each) => each.name);
    expect(made('', 'Int')).toEqual(['lease', 'q2', 'q10', 'subLease', 'tenant', '$timestamp', '$randomInt']);
    expect(made('$r', 'Text')).toEqual(['$randomInt', '$randomDecimal', '$randomBool']);
    expect(made('TODAY', 'Date')).toEqual(['$today', 'TODAY']);
    expect(made('$today+', 'Date')).toEqual(['$today+1', '$today+7', '$today+30']);
    expect(made('$today-14', 'Date')).toEqual(['$today-14']);
    expect(made('$today-14', 'Int')).toEqual([]);
    expect(made('$foo', 'Text')).toEqual([]);
  });
  it('has nothing of what every object has', () => expect(names('toString')).toEqual(['define toString']));
});
