/** The module that contains an ad-hoc text if several are loaded, and how declarations are named there. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { shortName } from './locations.js';

/** How to write a declaration, by path. */
export type Named = (path: string) => string;

export interface EnclosingModule {
  /** Undefined for the only module, which need not be named. */
  readonly module: string | undefined;
  readonly named: Named;
}

/** In the only module. */
export const ONLY_MODULE: EnclosingModule = { module: undefined, named: shortName };

/** The module that declares it. */
export function moduleOfPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('::')));
}

/** In this module, or in the first one if it is not loaded. */
export function enclosingModule({ modules }: ServedSchema, module: string | undefined): EnclosingModule {
  const found = modules.find(({ name }) => name === module) ?? modules[0];
  if (modules.length < 2 || found === undefined) return ONLY_MODULE;
  const { name, uses = [] } = found;
  const isBare = (path: string): boolean => moduleOfPath(path) === name || uses.includes(path);
  return { module: name, named: (path) => (isBare(path) ? shortName(path) : path) };
}

/** In a module that can name all these declarations; otherwise in that of the first. */
export function enclosingModuleFor(schema: ServedSchema, paths: readonly string[]): EnclosingModule {
  const modules = [...new Set(paths.map(moduleOfPath))];
  const isNamed = publicPaths(schema);
  const fitting = modules.find((module) => paths.every((path) => moduleOfPath(path) === module || isNamed.has(path)));
  return enclosingModule(schema, fitting ?? modules[0]);
}

/** What a text in this module can name. */
export function isNameable({ module }: EnclosingModule, declared: { readonly path: string; readonly public: boolean }) {
  return module === undefined || declared.public || moduleOfPath(declared.path) === module;
}

/** The declarations named by a type. */
function pathsOfType(type: WireType): readonly string[] {
  switch (type.kind) {
    case 'scalar':
      return [];
    case 'optional':
    case 'list':
      return pathsOfType(type.of);
    case 'record':
      return type.fields.flatMap((field) => pathsOfType(field.type));
    default:
      return [type.path];
  }
}

/** The declarations named by a text about a row of this concept or relation. */
export function pathsOfRow(path: string, values: readonly { readonly type: WireType }[]): readonly string[] {
  return [path, ...values.flatMap(({ type }) => pathsOfType(type))];
}

function publicPaths({ concepts, relations, defines, enums }: ServedSchema): ReadonlySet<string> {
  const all = [concepts, relations, defines, enums].flat();
  return new Set(all.filter((declared) => declared.public).map(({ path }) => path));
}
