/**
 * The language service as seen by the editor's extensions. Each editor provides its own, because only it knows the text
 * around.
 */

import { Facet } from '@codemirror/state';
import type { Answers, QuestionKind } from '../workspace/compile-messages.js';

/** Sends a request about a place in this text. Resolves to undefined if there is no response. */
export type Ask = <K extends QuestionKind>(kind: K, text: string, offset: number) => Promise<Answers[K] | undefined>;

const nobody: Ask = async () => undefined;

export const languageAsker = Facet.define<Ask, Ask>({ combine: ([first]) => first ?? nobody });
