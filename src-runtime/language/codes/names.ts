/** The codes of names and imports: E01 and W01. */

import { error, warning } from './row.js';

export const NAME_CODES = {
  E0101: error({
    title: 'unknown name',
    meaning: 'A name is used that nothing declares here. Names of other modules are imported or qualified.',
    failing: 'derive let2(l: Lease) when ⟦tenatOf⟧(l, _)',
    cured: 'derive let2(l: Lease) when tenantOf(l, _)',
    cure: 'Correct the name, declare it, or import it.',
  }),
  E0102: error({
    title: 'unknown module',
    meaning: 'A `use` or a qualified path names a module that is not part of this build.',
    failing: 'module a\nuse ⟦bb⟧::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    cured: 'module a\nuse b::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    cure: 'Correct the name, or give the file of the module to the same build.',
  }),
  E0103: error({
    title: 'not public',
    meaning: 'Another module declares the name without `pub`, so that it cannot be named from here.',
    failing: 'module a\nuse b::{⟦Thing⟧}\nderive known(t: Thing) when Thing(t)\nmodule b\nconcept Thing { }',
    cured: 'module a\nuse b::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    cure: 'Write `pub` before the declaration.',
  }),
  E0104: error({
    title: 'unknown enum member',
    meaning: 'The enum that is expected here has no member of that name.',
    failing: 'derive done(l: Lease) when Lease(l), l.status == ⟦sined⟧',
    cured: 'derive done(l: Lease) when Lease(l), l.status == signed',
    cure: 'Use a member that the enum declares, or declare this one.',
  }),
  E0105: error({
    title: 'unknown field',
    meaning: 'The concept or record has no field of that name, inherited ones included.',
    failing: 'derive coded(l: Lease) when Lease(l), l.⟦cod⟧ == "A"',
    cured: 'derive coded(l: Lease) when Lease(l), l.code == "A"',
    cure: 'Correct the name, or declare the field.',
  }),
  E0106: error({
    title: 'unknown argument',
    meaning: 'A named argument, or the endpoint behind `via`, is none of what it is given to.',
    failing: 'derive let2(l: Lease) when tenantOf(⟦leas⟧: l)',
    cured: 'derive let2(l: Lease) when tenantOf(lease: l)',
    cure: 'Use a name from the declaration of what is called.',
  }),
  E0107: error({
    title: 'name taken',
    meaning: 'A new name repeats one that is already visible here. Names never shadow each other and never change.',
    failing: 'mutation raise(l: Lease, by: Decimal) {\n  let ⟦by⟧ = by * 2\n  set l.rent = l.rent + by\n}',
    cured: 'mutation raise(l: Lease, by: Decimal) {\n  let double = by * 2\n  set l.rent = l.rent + double\n}',
    cure: 'Give the new value a name of its own.',
  }),
  E0108: error({
    title: 'wrong kind of name',
    meaning: 'The name is declared, as something that cannot stand here.',
    failing: 'derive let2(l: ⟦rented⟧) when rented(l)',
    cured: 'derive let2(l: Lease) when rented(l)',
    cure: 'Name a declaration of the kind that the message asks for.',
  }),
  E0109: error({
    title: 'module declared twice',
    meaning: 'Two files declare the same module. One file is one module.',
    failing: 'module a\nconcept Thing { }\nmodule ⟦a⟧\nconcept Other { }',
    cured: 'module a\nconcept Thing { }\nmodule b\nconcept Other { }',
    cure: 'Give one of them another name, or put both into one file.',
  }),
  E0110: error({
    title: 'variable named like a member',
    meaning: 'A variable has the name of a member of its own enum type, so that the name would mean both.',
    failing:
      'relation stage(l: Lease, s: Status)\nderive staged(l: Lease) when stage(l, Status::draft), let ⟦signed⟧ = l.status, signed != Status::draft',
    cured:
      'relation stage(l: Lease, s: Status)\nderive staged(l: Lease) when stage(l, Status::draft), let s = l.status, s != Status::draft',
    cure: 'Give the variable another name.',
  }),
  W0101: warning({
    title: 'import not used',
    meaning: 'A name is imported, and nothing in the module uses it.',
    failing:
      'module a\nuse b::{⟦Thing⟧, made}\nderive known(n: Int) when made(n)\nmodule b\npub concept Thing { }\npub relation made(n: Int)',
    cured:
      'module a\nuse b::{made}\nderive known(n: Int) when made(n)\nmodule b\npub concept Thing { }\npub relation made(n: Int)',
    cure: 'Take it out of the braces.',
  }),
};
