/** The formatter's edge: a text in the one style of the language, or the edits that bring it there. */

export { formatEdits } from './edits.js';
export { format } from './format.js';
