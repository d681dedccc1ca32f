/**
 * The syntax tree of one module: what the text says, before anything is resolved or typed.
 *
 * Conventions that every reader may rely on:
 * - `kind` tells the members of a union apart. Every node has the exact `span` of its text; a name carries its own.
 * - Parentheses leave no node. The span of a body literal covers them, the span of an expression inside them does not.
 * - The parser knows no declarations, so `active(l)` (a tuple), `Person(p)` (a class) and `startsWith(t, "x")` (a
 *   function) are all a `call`, and `signed` (a member), `l` (a variable) and `Status::signed` are all a `name`. The
 *   checker decides which is which.
 * - Chains of one precedence (`a + b - c`, `a and b and c`) are one flat node, so that thousands of terms make a wide
 *   tree, never a deep one. The tree is never deeper than a small multiple of the nesting limit.
 * - Where a part could not be read, an `error` node stands in its place and a diagnostic has been reported: whoever
 *   meets one says nothing more about it. Items, fields, statements and literals without a usable name are left out.
 */

export type * from './ast/expressions.js';
export type * from './ast/items.js';
export type { Name, Path } from './ast/names.js';
export { pathText } from './ast/names.js';
export type * from './ast/statements.js';
