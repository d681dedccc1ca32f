/** Types of the database APIs that the benchmark uses, so that type checks need no `npm ci --prefix bench`. */

declare module '@duckdb/node-api' {
  export class DuckDBInstance {
    static create(path: string): Promise<DuckDBInstance>;
    connect(): Promise<DuckDBConnection>;
    closeSync(): void;
  }

  interface DuckDBConnection {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
    createAppender(table: string): Promise<{ appendInteger(value: number): void; endRow(): void; closeSync(): void }>;
    closeSync(): void;
  }
}

declare module 'cozo-lib-wasm/cozo_lib_wasm.js' {
  export function initSync(module: Uint8Array): void;

  export class CozoDb {
    // biome-ignore lint/suspicious/noMisleadingInstantiator: the package names it so.
    static new(): CozoDb;
    run(script: string, params: string, immutable: boolean): string;
    import_relations(data: string): string;
    free(): void;
  }
}
