/**
 * The registry of diagnostics: one row per code, one file per group of ranges. docs/diagnostics.md is generated from it; a test compares
 * the two and compiles every example.
 */

import { DECLARATION_CODES } from './declarations.js';
import { NAME_CODES } from './names.js';
import { REQUEST_CODES } from './requests.js';
import type { CodeRow } from './row.js';
import { RULE_CODES } from './rules.js';
import { SYNTAX_CODES } from './syntax.js';
import { TYPE_CODES } from './types.js';

export const CODES = {
  ...SYNTAX_CODES,
  ...NAME_CODES,
  ...TYPE_CODES,
  ...DECLARATION_CODES,
  ...RULE_CODES,
  ...REQUEST_CODES,
} as const satisfies { readonly [code: string]: CodeRow };

export type CodeName = keyof typeof CODES;

/** The module to which the examples are appended. */
export const EXAMPLE_FRAME = `module office

enum Status { draft, signed }
concept Party { name: Text, rank: Int = 0 }
concept Person is Party { email: Text?, boss: Person? via reports }
concept Lease {
  code: Text
  rent: Decimal where value > 0
  status: Status = draft
  holder: Person?
  tenants: [Person] via tenantOf
}
relation tenantOf(lease: Lease, tenant: Person)
relation reports(junior: Person, senior: Person [0..1])
relation age(person: Person, years: Int)
relation price(lease: Lease, amount: Decimal)
individual ada: Person { name: "Ada" }
fn twice(x: Int) -> Int = x * 2
derive rented(l: Lease) when tenantOf(l, _)
query leases() -> [Lease] { select l where Lease(l) }
mutation rename(p: Person, name: Text) { set p.name = name }
`;
