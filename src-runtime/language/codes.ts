/**
 * Every code that name resolution, type checking and the later phases may report (01xx to 07xx): one row a code. A code
 * never changes its meaning. The parser's rows stand in syntax-codes.ts.
 */

interface CodeRow {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  /** What is wrong, and what to do. */
  readonly meaning: string;
}

const error = (title: string, meaning: string): CodeRow => ({ severity: 'error', title, meaning });
const warning = (title: string, meaning: string): CodeRow => ({ severity: 'warning', title, meaning });

export const CODES = {
  E0101: error('unknown name', 'A name is used that nothing in scope declares. Declare it, import it, or correct it.'),
  E0102: error('unknown module', 'A `use` or a qualified path names a module that is not built in this run.'),
  E0103: error('not public', 'A declaration of another module is named that is not `pub` there.'),
  E0104: error('unknown enum member', 'The enum that is expected here has no member of that name.'),
  E0105: error('unknown field', 'The concept or record has no field of that name.'),
  E0106: error('unknown argument', 'A named argument fits no parameter or endpoint of what is called.'),
  E0107: error('name taken', 'A new name repeats one that is already in scope; names never shadow each other.'),
  E0108: error('wrong kind of name', 'A name stands where another kind of declaration is needed.'),
  E0109: error('module declared twice', 'Two files declare the same module; one file is one module.'),
  E0110: error('member as variable', 'A variable is named like a member of its own enum type.'),

  E0201: error('type mismatch', 'A value of one type stands where another, unrelated type is expected.'),
  E0202: error(
    'absent value',
    'A value that may be none stands where one is needed. Give a default with `??` or guard it.',
  ),
  E0203: error('operands do not fit', 'An operator is applied to types that it is not defined for.'),
  E0204: error('variable of two types', 'A variable stands at places whose types have no value in common.'),
  E0205: error(
    'head narrower than body',
    'A rule promises a class that its body does not establish. Add a class literal.',
  ),
  E0206: error(
    'match does not cover',
    'A match repeats a case, leaves values uncovered, or has a pattern that is no constant.',
  ),
  E0207: error('wrong arguments', 'A call has too few or too many arguments, or gives one twice.'),
  E0208: error('wildcard not allowed', '`_` stands where a value is needed.'),
  E0209: error(
    'type not known',
    'The type of this expression cannot be told from its context, e.g. of `[]` or `none`.',
  ),
  E0210: error('not a list', 'What stands behind `in` cannot be iterated.'),
  E0211: error('chain too long', 'Too many operators stand in one chain. Split it with `let` or a fn.'),

  E0301: error('declared twice', 'Two declarations, fields, members, endpoints or parameters have one name.'),
  E0302: error('inheritance circle', 'A concept is, by way of its parents, its own parent.'),
  E0303: error(
    'type cannot stand here',
    'A field, endpoint, parameter or result has a type that its place does not allow.',
  ),
  E0304: error(
    'navigation does not fit',
    'No endpoints of the relation fit the concept and the type of a navigation field.',
  ),
  E0305: error('signatures differ', 'Clauses of one derived relation differ in their types or in `pub`.'),
  E0306: error(
    'ground truth is broken',
    'An individual or a fact breaks a required field, a refinement or a `[0..1]`.',
  ),
  E0307: error('not a constant', 'A default, an individual or a fact needs a constant.'),
  E0308: error(
    'context differs',
    'Two modules declare one context field with different types, or one declares it twice.',
  ),
  E0309: error('refinement not allowed', 'Only scalars and enums can be refined.'),
  W0301: warning('unguarded navigation', 'A navigation field reads one value over a relation that may hold several.'),

  E0401: error('unbound variable', 'No positive literal, `in` or `let` gives this variable a value.'),
  E0402: error(
    'relation inside an expression',
    'A tuple or class stands inside a larger expression. Write a helper derive.',
  ),
  E0403: error('let in a circle', 'The values of `let` literals depend on each other in a circle.'),
  W0401: warning('variable used once', 'A variable is used once only. Write `_`, or start its name with `_`.'),

  E0501: error('not stratified', 'A relation depends on its own absence or on an aggregate over itself.'),
  W0501: warning(
    'recursion that may not end',
    'A recursive rule computes new values, and no comparison in the clause bounds them.',
  ),

  E0601: error('not pure', 'A fn or refinement reads fields, relations, individuals or context.'),
  E0602: error('calls in a circle', 'Functions, or mutations and queries, call each other in a circle.'),
  E0603: error('cannot be written', 'A declared individual, a navigation field or a derived relation is written to.'),
  E0604: error('context not allowed here', 'Request context is read outside queries, mutations and tests.'),
  E0605: error('result does not fit', 'A query body does not fit the kind of its result type.'),
  E0606: error(
    'return misplaced',
    '`return` is missing, not the last statement, or stands in a mutation without result.',
  ),
  E0607: error('call not allowed here', 'A query, mutation or aggregate is used where it cannot run.'),
  E0608: error('required field missing', 'An insert leaves out a field that is neither optional nor has a default.'),

  E0701: error('test only', 'A statement that belongs to tests stands in a mutation.'),
  E0702: error(
    'not in a test',
    'A test is a straight line: `for`, `if`, `return`, `require` and `forget` belong to mutations.',
  ),
  E0703: error('no error code', 'Behind `expect error` stands something that has not the form of an error code.'),
} as const satisfies { readonly [code: string]: CodeRow };

export type CodeName = keyof typeof CODES;
