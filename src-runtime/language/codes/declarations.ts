/** The codes of declarations: E03 and W03. */

import { error, warning } from './row.js';

export const DECLARATION_CODES = {
  E0301: error({
    title: 'declared twice',
    meaning:
      'Two declarations of a module, or two fields, members, endpoints or parameters of one, have the same name.',
    failing: 'concept Visitor { name: Text, ⟦name⟧: Int }',
    cured: 'concept Visitor { name: Text, number: Int }',
    cure: 'Give one of them another name.',
  }),
  E0302: error({
    title: 'inheritance circle',
    meaning: 'A concept is, by way of its parents, its own parent.',
    failing: 'concept ⟦Cat⟧ is Pet { }\nconcept Pet is Cat { }',
    cured: 'concept Cat is Pet { }\nconcept Pet { }',
    cure: 'Take one of the parents away.',
  }),
  E0303: error({
    title: 'type cannot stand here',
    meaning: 'A field, endpoint, parameter or result has a type that its place does not allow.',
    failing: 'concept Visitor { days: ⟦[Date]⟧ }',
    cured: 'concept Visitor { }\nrelation visited(who: Visitor, day: Date)',
    cure: 'Use a scalar, an enum or a concept; several values are a relation.',
  }),
  E0304: error({
    title: 'navigation does not fit',
    meaning: 'The relation behind `via` has no endpoint for the concept, or none for the type of the field.',
    failing: 'concept Visitor { met: [Person] ⟦via tenantOf⟧ }',
    cured: 'concept Visitor { met: [Person] via meets }\nrelation meets(visitor: Visitor, person: Person)',
    cure: 'Name a relation with one endpoint of the concept and another one of the type that is read.',
  }),
  E0305: error({
    title: 'signatures differ',
    meaning: 'Clauses of one derived relation or define differ in their types or in `pub`.',
    failing: 'derive ⟦rented⟧(p: Person) when tenantOf(_, p)',
    cured: 'derive renting(p: Person) when tenantOf(_, p)',
    cure: 'Give the clause the types of the first one, or a name of its own.',
  }),
  E0306: error({
    title: 'ground truth is broken',
    meaning: 'A declared individual, a fact or a default breaks a required field, a refinement or a `[0..1]`.',
    failing: 'individual flat: Lease { code: "A", rent: ⟦-1⟧ }',
    cured: 'individual flat: Lease { code: "A", rent: 900 }',
    cure: 'Give a value that the declaration allows.',
  }),
  E0307: error({
    title: 'not a constant',
    meaning: 'A default, an individual or a fact holds values that are known without running anything.',
    failing: 'concept Visitor { fee: Int = ⟦twice(2)⟧ }',
    cured: 'concept Visitor { fee: Int = 2 * 2 }',
    cure: 'Write a literal, an enum member, a declared individual, or arithmetic of literals.',
  }),
  E0308: error({
    title: 'context differs',
    meaning: 'Two modules declare one context field with different types, or one module declares it twice.',
    failing: 'context userId: Text\ncontext ⟦userId⟧: Int',
    cured: 'context userId: Text',
    cure: 'Declare the field once, or with the same type everywhere.',
  }),
  E0309: error({
    title: 'refinement not allowed',
    meaning: 'A refinement stands behind a type that is neither a scalar nor an enum.',
    failing: 'concept Visitor { host: Person where ⟦value != @ada⟧ }',
    cured:
      'concept Visitor { host: Person }\ncheck hostIsAda(v: Visitor) when v.host == @ada severity blocking message "{v}"',
    cure: 'Write a check instead.',
  }),
  E0310: error({
    title: 'name of the language',
    meaning: 'A declaration has the name of a built-in type, or a module is named `std`.',
    failing: 'enum ⟦Date⟧ { today, tomorrow }',
    cured: 'enum Day { today, tomorrow }',
    cure: 'Choose another name.',
  }),
  W0301: warning({
    title: 'unguarded navigation',
    meaning:
      'A navigation field reads one value over a relation that may hold several; two values are an error when it is read.',
    failing: 'concept Visitor { ⟦host⟧: Person? via hosts }\nrelation hosts(visitor: Visitor, host: Person)',
    cured: 'concept Visitor { host: Person? via hosts }\nrelation hosts(visitor: Visitor, host: Person [0..1])',
    cure: 'Write `[0..1]` behind the endpoint, or make the field a list.',
  }),
  W0302: warning({
    title: 'declaration not used',
    meaning:
      'Nothing mentions a declaration, and without `pub` nobody else can. A module without any `pub` is taken as a sketch, in which this is not reported; a name that starts with `_` never is.',
    failing: 'module a\npub relation r(n: Int)\nderive ⟦small⟧(n: Int) when r(n), n < 10',
    cured: 'module a\npub relation r(n: Int)\npub derive small(n: Int) when r(n), n < 10',
    cure: 'Make it public, use it, or remove it.',
  }),
  W0303: warning({
    title: 'relation never filled',
    meaning:
      'No fact and no statement puts a tuple into a private relation, so that whatever reads it never holds. Not reported in a module without any `pub`.',
    failing: 'module a\nrelation ⟦blocked⟧(n: Int)\npub derive stopped(n: Int) when blocked(n)',
    cured: 'module a\nrelation blocked(n: Int)\nfact blocked(13)\npub derive stopped(n: Int) when blocked(n)',
    cure: 'Add a fact, or a mutation that inserts.',
  }),
};
