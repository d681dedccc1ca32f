/** Types as an artifact writes them, and the JSON that their values are. */

/** A value in JSON. LANGUAGE.md, section "Types", defines the wire form of each type. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type ScalarName = 'Bool' | 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime';

export type Type =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'enum'; readonly path: string }
  /** A concept, or a define over one. */
  | { readonly kind: 'class'; readonly path: string }
  | { readonly kind: 'extern'; readonly path: string }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'record'; readonly fields: readonly { readonly name: string; readonly type: Type }[] };
