/** Whom the extensions of an editor ask about its text; each editor brings its own, since only it knows what stands around. */

import { Facet } from '@codemirror/state';
import type { Answers, QuestionKind } from '../workspace/compile-messages.js';

/** Asks about a place in this text. Undefined where there is nobody to answer. */
export type Ask = <K extends QuestionKind>(kind: K, text: string, offset: number) => Promise<Answers[K] | undefined>;

const nobody: Ask = async () => undefined;

export const languageAsker = Facet.define<Ask, Ask>({ combine: ([first]) => first ?? nobody });
