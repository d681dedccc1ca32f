/**
 * The syntax tree of one module: what the text says, before names are resolved and types are checked.
 *
 * Conventions:
 * - `kind` tells the members of a union apart. Every node has the exact `span` of its text, and every name its own.
 * - Parentheses have no node. The span of a body literal includes them, the span of an expression inside them does not.
 * - The parser knows no declarations. `active(l)` (a tuple), `Person(p)` (a class) and `startsWith(t, "x")` (a function) are all a
 *   `call`; `signed` (a member), `l` (a variable) and `Status::signed` are all a `name`. The checker tells them apart.
 * - A chain of one precedence (`a + b - c`, `a and b and c`) is one flat node: thousands of terms make a wide tree, never a deep
 *   one. The depth of a tree is at most a small multiple of the nesting limit.
 * - An `error` node replaces a part with a reported syntax error; later phases report nothing about it. Items, fields, statements
 *   and literals without a usable name are omitted.
 */

export type * from './ast/expressions.js';
export type * from './ast/items.js';
export type { Name, Path } from './ast/names.js';
export { pathText } from './ast/names.js';
export type * from './ast/statements.js';
