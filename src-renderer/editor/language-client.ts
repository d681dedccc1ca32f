/**
 * The language service as seen by the editor's extensions. Each editor provides its own, because only it knows the text
 * around.
 */

import { Facet } from '@codemirror/state';
import type { ServiceMethod, ServiceResults } from '../workspace/compiler-protocol.js';

/** Sends a request about a place in this text. Resolves to undefined if there is no response. */
export type LanguageClient = <K extends ServiceMethod>(
  kind: K,
  text: string,
  offset: number,
) => Promise<ServiceResults[K] | undefined>;

const noResponse: LanguageClient = async () => undefined;

export const languageClient = Facet.define<LanguageClient, LanguageClient>({
  combine: ([first]) => first ?? noResponse,
});
