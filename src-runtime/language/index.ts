/** The exports of the language that other layers use. */

export type { HighlightKind, HighlightState } from './highlight.js';
export { parseModule } from './parser/module.js';
