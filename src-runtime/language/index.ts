/** The language's edge: what the compiler, the world's tools and the editor use of it. */

export type { HighlightKind, HighlightState } from './highlight.js';
export { parseModule } from './parser/module.js';
