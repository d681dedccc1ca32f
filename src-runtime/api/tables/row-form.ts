/** The forms in which the API streams rows, with their media types. `jsonl` has a row of JSON a line. */
export const ROW_TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type RowForm = keyof typeof ROW_TYPES;

/** The forms that are text. */
export type TextForm = Exclude<RowForm, 'parquet'>;
