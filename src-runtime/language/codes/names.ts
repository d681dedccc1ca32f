/** Codes of names and imports, E01 and W01. */

import { error, warning } from './row.js';

export const NAME_CODES = {
  E0101: error({
    title: 'unknown name',
    meaning: 'Nothing declares this name here. Import or qualify names of other modules.',
    failing: 'derive let2(l: Lease) when ⟦tenatOf⟧(l, _)',
    fixed: 'derive let2(l: Lease) when tenantOf(l, _)',
    fix: 'Correct the name, declare it, or import it.',
  }),
  E0102: error({
    title: 'unknown module',
    meaning: 'A `use` or a qualified path names a module that is not in this build.',
    failing: 'module a\nuse ⟦bb⟧::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    fixed: 'module a\nuse b::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    fix: 'Correct the name, or add the file of the module to the build.',
  }),
  E0103: error({
    title: 'not public',
    meaning: 'Another module declares the name without `pub`.',
    failing: 'module a\nuse b::{⟦Thing⟧}\nderive known(t: Thing) when Thing(t)\nmodule b\nconcept Thing { }',
    fixed: 'module a\nuse b::{Thing}\nderive known(t: Thing) when Thing(t)\nmodule b\npub concept Thing { }',
    fix: 'Write `pub` before the declaration.',
  }),
  E0104: error({
    title: 'unknown enum member',
    meaning: 'The expected enum has no member of this name.',
    failing: 'derive done(l: Lease) when Lease(l), l.status == ⟦sined⟧',
    fixed: 'derive done(l: Lease) when Lease(l), l.status == signed',
    fix: 'Use a declared member, or declare this one.',
  }),
  E0105: error({
    title: 'unknown field',
    meaning: 'The concept or record has no field of this name.',
    failing: 'derive coded(l: Lease) when Lease(l), l.⟦cod⟧ == "A"',
    fixed: 'derive coded(l: Lease) when Lease(l), l.code == "A"',
    fix: 'Correct the name, or declare the field.',
  }),
  E0106: error({
    title: 'unknown argument',
    meaning: 'A named argument is not a parameter or endpoint of the callee, or `via` names an unknown endpoint.',
    failing: 'derive let2(l: Lease) when tenantOf(⟦leas⟧: l)',
    fixed: 'derive let2(l: Lease) when tenantOf(lease: l)',
    fix: 'Use a name from the declaration.',
  }),
  E0107: error({
    title: 'name taken',
    meaning: 'A new name repeats a name that is visible here. Names cannot be shadowed or reassigned.',
    failing: 'mutation raise(l: Lease, by: Decimal) {\n  let ⟦by⟧ = by * 2\n  set l.rent = l.rent + by\n}',
    fixed: 'mutation raise(l: Lease, by: Decimal) {\n  let double = by * 2\n  set l.rent = l.rent + double\n}',
    fix: 'Choose another name for the new value.',
  }),
  E0108: error({
    title: 'wrong kind of name',
    meaning: 'The name is declared, but as something that cannot be used here.',
    failing: 'derive let2(l: ⟦rented⟧) when rented(l)',
    fixed: 'derive let2(l: Lease) when rented(l)',
    fix: 'Use a declaration of the kind in the message.',
  }),
  E0109: error({
    title: 'duplicate module',
    meaning: 'Two files declare the same module. One file is one module.',
    failing: 'module a\nconcept Thing { }\nmodule ⟦a⟧\nconcept Other { }',
    fixed: 'module a\nconcept Thing { }\nmodule b\nconcept Other { }',
    fix: 'Rename one of them, or merge the files.',
  }),
  E0110: error({
    title: 'variable hides a member',
    meaning: 'A variable has the name of a member of its enum type, so the name is ambiguous.',
    failing:
      'relation stage(l: Lease, s: Status)\nderive staged(l: Lease) when stage(l, Status::draft), let ⟦signed⟧ = l.status, signed != Status::draft',
    fixed:
      'relation stage(l: Lease, s: Status)\nderive staged(l: Lease) when stage(l, Status::draft), let s = l.status, s != Status::draft',
    fix: 'Rename the variable.',
  }),
  W0101: warning({
    title: 'unused import',
    meaning: 'A name is imported and never used.',
    failing:
      'module a\nuse b::{⟦Thing⟧, made}\nderive known(n: Int) when made(n)\nmodule b\npub concept Thing { }\npub relation made(n: Int)',
    fixed:
      'module a\nuse b::{made}\nderive known(n: Int) when made(n)\nmodule b\npub concept Thing { }\npub relation made(n: Int)',
    fix: 'Remove it from the braces.',
  }),
};
