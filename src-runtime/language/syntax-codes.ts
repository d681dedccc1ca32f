/** The lexical and syntax findings (E00, W00): what each code means. Their messages stand where they are found. */

/** One entry of the diagnostics reference. */
export interface SyntaxCode {
  readonly meaning: string;
  readonly example: string;
}

const SYNTAX_CODES = {
  E0001: { meaning: 'A character that occurs nowhere in the language.', example: 'query q() -> Int { value 1 # 2 }' },
  E0002: {
    meaning: 'A text literal without its closing quote on the same line.',
    example: 'individual a: B { name: "x }',
  },
  E0003: { meaning: 'An unknown escape in a text literal.', example: '"C:\\dir"' },
  E0004: { meaning: 'A comment that is opened and never closed.', example: '/* …' },
  E0005: { meaning: 'A malformed number.', example: '12.' },
  E0006: { meaning: 'A whole number beyond the range of Int.', example: '9007199254740992' },
  E0007: { meaning: 'A text that is no date, behind `date` or `datetime`.', example: 'date "2026-02-30"' },
  E0008: { meaning: 'An operator of another language.', example: 'a && b' },
  E0010: { meaning: 'Something else was expected here.', example: 'concept { }' },
  E0011: { meaning: 'A bracket that is never closed.', example: 'relation a(b: C' },
  E0012: { meaning: 'A reserved word where a name is declared or used.', example: 'let where = 1' },
  E0013: { meaning: 'The file does not begin with its `module` line.', example: 'concept A { }' },
  E0014: { meaning: 'Something that begins no item.', example: 'table A { }' },
  E0015: { meaning: 'Something that begins no statement.', example: 'mutation m() { 1 + 2 }' },
  E0016: { meaning: 'An expression was expected.', example: 'fn f() -> Int = ' },
  E0017: { meaning: 'A type was expected.', example: 'concept A { name: }' },
  E0018: { meaning: '`=` where values are compared.', example: 'derive a(x: A) when x.n = 1' },
  E0019: { meaning: 'Comparisons in a row.', example: '1 < x < 3' },
  E0020: { meaning: 'Nesting deeper than 256.', example: '((((…))))' },
  E0021: { meaning: 'A wildcard `_` that is neither a whole argument nor a match pattern.', example: 'n > _' },
  E0022: { meaning: 'Named and positional arguments in one call.', example: 'f(1, b: 2)' },
  E0023: { meaning: 'An aggregate of an unknown name or a wrong form.', example: 'total(x for x where A(x))' },
  E0024: { meaning: '`insert` inside an expression.', example: 'let x = [insert A { }]' },
  E0025: { meaning: 'Concept braces without `insert`.', example: 'let p = Person { name: "Ada" }' },
  E0026: { meaning: 'A multiplicity other than `[0..1]`.', example: 'relation r(a: A [1..2])' },
  E0027: { meaning: '`pub` before what cannot be public.', example: 'pub test "x" { }' },
  E0028: {
    meaning: 'A clause that does not belong to this kind of declaration.',
    example: 'define D(x: C = 1) when A(x)',
  },
  E0029: { meaning: 'A brace in a message that is not closed, or stands alone.', example: 'message "{x"' },
  W0001: { meaning: 'A documentation comment that documents nothing.', example: 'fn f() -> Int = /// why' },
} as const satisfies Record<string, SyntaxCode>;

export type SyntaxCodeName = keyof typeof SYNTAX_CODES;
