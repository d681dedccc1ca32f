/** Codes of declarations, E03 and W03. */

import { error, warning } from './row.js';

export const DECLARATION_CODES = {
  E0301: error({
    title: 'duplicate name',
    meaning:
      'Two declarations of a module have the same name, or two fields, members, endpoints or parameters of one declaration.',
    failing: 'concept Visitor { name: Text, ⟦name⟧: Int }',
    fixed: 'concept Visitor { name: Text, number: Int }',
    fix: 'Rename one of them.',
  }),
  E0302: error({
    title: 'inheritance cycle',
    meaning: 'A concept inherits from itself.',
    failing: 'concept ⟦Cat⟧ is Pet { }\nconcept Pet is Cat { }',
    fixed: 'concept Cat is Pet { }\nconcept Pet { }',
    fix: 'Remove one of the parents.',
  }),
  E0303: error({
    title: 'type not allowed here',
    meaning: 'A field, endpoint, parameter or result cannot have this type.',
    failing: 'define Adult(p: Person) when age(p, _)\nconcept Visit { hosts: ⟦[Adult]⟧ }',
    fixed: 'define Adult(p: Person) when age(p, _)\nconcept Visit { hosts: [Person] }',
    fix: 'Use a scalar, an enum, a concept, or a list or record of them.',
  }),
  E0304: error({
    title: 'navigation mismatch',
    meaning: 'The relation after `via` has no endpoint for the concept, or none for the type of the field.',
    failing: 'concept Visitor { met: [Person] ⟦via tenantOf⟧ }',
    fixed: 'concept Visitor { met: [Person] via meets }\nrelation meets(visitor: Visitor, person: Person)',
    fix: 'Name a relation with one endpoint for the concept and another for the type of the field.',
  }),
  E0305: error({
    title: 'signatures differ',
    meaning: 'The clauses of a derived relation or define differ in their types or in `pub`.',
    failing: 'derive ⟦rented⟧(p: Person) when tenantOf(_, p)',
    fixed: 'derive renting(p: Person) when tenantOf(_, p)',
    fix: 'Give the clause the types of the first clause, or rename it.',
  }),
  E0306: error({
    title: 'invalid ground truth',
    meaning: 'A declared individual, a fact or a default violates a required field, a refinement or a `[0..1]`.',
    failing: 'individual flat: Lease { code: "A", rent: ⟦-1⟧ }',
    fixed: 'individual flat: Lease { code: "A", rent: 900 }',
    fix: 'Write a value that the declaration allows.',
  }),
  E0307: error({
    title: 'not a constant',
    meaning: 'A default, an individual or a fact contains an expression that is not constant.',
    failing: 'concept Visitor { fee: Int = ⟦twice(2)⟧ }',
    fixed: 'concept Visitor { fee: Int = 2 * 2 }',
    fix: 'Write a literal, an enum member, a declared individual, or arithmetic of literals.',
  }),
  E0308: error({
    title: 'conflicting context',
    meaning: 'Two modules declare a context field with different types, or one module declares it twice.',
    failing: 'context userId: Text\ncontext ⟦userId⟧: Int',
    fixed: 'context userId: Text',
    fix: 'Declare the field once, or with the same type everywhere.',
  }),
  E0309: error({
    title: 'refinement not allowed',
    meaning: 'Only scalars and enums can have a refinement.',
    failing: 'concept Visitor { host: Person where ⟦value != @ada⟧ }',
    fixed:
      'concept Visitor { host: Person }\ncheck hostIsAda(v: Visitor) when v.host == @ada severity blocking message "{v}"',
    fix: 'Write a check instead.',
  }),
  E0310: error({
    title: 'built-in name',
    meaning: 'A declaration has the name of a built-in type, or a module is named `std`.',
    failing: 'enum ⟦Date⟧ { today, tomorrow }',
    fixed: 'enum Day { today, tomorrow }',
    fix: 'Choose another name.',
  }),
  E0311: error({
    title: 'misplaced least or greatest',
    meaning: '`least` and `greatest` belong before the last parameter of a `derive`.',
    failing: 'derive paid(⟦least⟧ n: Decimal, l: Lease) when price(l, n)',
    fixed: 'derive paid(l: Lease, least n: Decimal) when price(l, n)',
    fix: 'Make the parameter the last one of a `derive`.',
  }),
  W0301: warning({
    title: 'unguarded navigation',
    meaning: 'A navigation field reads one value of a relation that may hold several. Reading two values is an error.',
    failing: 'concept Visitor { ⟦host⟧: Person? via hosts }\nrelation hosts(visitor: Visitor, host: Person)',
    fixed: 'concept Visitor { host: Person? via hosts }\nrelation hosts(visitor: Visitor, host: Person [0..1])',
    fix: 'Write `[0..1]` after the endpoint, or make the field a list.',
  }),
  W0302: warning({
    title: 'unused declaration',
    meaning:
      'A declaration without `pub` is never used. Not reported in a module without any `pub`, or for names that start with `_`.',
    failing: 'module a\npub relation r(n: Int)\nderive ⟦small⟧(n: Int) when r(n), n < 10',
    fixed: 'module a\npub relation r(n: Int)\npub derive small(n: Int) when r(n), n < 10',
    fix: 'Make it public, use it, or remove it.',
  }),
  W0303: warning({
    title: 'empty relation',
    meaning:
      'Nothing adds a tuple to a private relation, so conditions on it never hold. Not reported in a module without any `pub`.',
    failing: 'module a\nrelation ⟦blocked⟧(n: Int)\npub derive stopped(n: Int) when blocked(n)',
    fixed: 'module a\nrelation blocked(n: Int)\nfact blocked(13)\npub derive stopped(n: Int) when blocked(n)',
    fix: 'Add a fact, or a mutation that inserts.',
  }),
};
