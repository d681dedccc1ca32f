/**
 * Runs the compiler and the language service in a worker, so that typing never waits for them. The server has the same
 * compiler. The last analysis is cached and reused while the texts stay the same.
 */

import { compileAnalysis, placeSources } from '../../src-runtime/compiler/index.js';
import { formatEdits } from '../../src-runtime/language/format/index.js';
import {
  type Analysis,
  analyse,
  completionsAt,
  definitionAt,
  foldingRanges,
  hoverAt,
  outlineOf,
  quickFixes,
  referencesAt,
  rename,
  renameAt,
  signatureAt,
} from '../../src-runtime/language/service/index.js';
import type { SourceFile } from '../server-state/api.js';
import { adhocAnalysis, declarationsOf } from './analysis-worker.js';
import type {
  CompileResponse,
  FileView,
  ServiceMethod,
  ServiceRequest,
  ServiceResults,
  WorkerRequest,
  WorkerResponse,
} from './compiler-protocol.js';

let last: Analysis | undefined;

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  const { id, files } = data;
  respond(
    data.kind === 'compile' ? compiled(id, files) : { kind: 'result', id, result: serviceResult(files, data.request) },
  );
});

function respond(message: WorkerResponse): void {
  self.postMessage(message);
}

function compiled(id: number, files: readonly SourceFile[]): CompileResponse {
  const startedAt = performance.now();
  const analysis = analysed(files);
  const { artifact, diagnostics } = compileAnalysis(analysis);
  const views = Object.fromEntries(analysis.sources.map(({ file }) => [file, viewOf(analysis, file)]));
  const declarations = declarationsOf(analysis);
  const durationMs = performance.now() - startedAt;
  return {
    kind: 'compiled',
    id,
    moduleHash: artifact?.integrity,
    schemaHash: artifact?.schemaHash,
    diagnostics,
    views,
    declarations,
    durationMs,
  };
}

function viewOf(analysis: Analysis, file: string): FileView {
  const at = analysis.sources.findIndex((source) => source.file === file);
  const module = analysis.modules[at];
  return {
    outline: module === undefined ? [] : outlineOf(module),
    folds: foldingRanges(analysis, file),
    fixes: quickFixes(analysis, file, 0, analysis.sources[at]?.text.length ?? 0),
  };
}

function analysed(files: readonly SourceFile[]): Analysis {
  const sources = placeSources(files);
  const isSame =
    last?.sources.length === sources.length &&
    sources.every(({ file, text }, i) => last?.sources[i]?.file === file && last.sources[i]?.text === text);
  if (last !== undefined && isSame) return last;
  last = analyse(sources, last);
  return last;
}

type ServiceHandlers = {
  readonly [K in ServiceMethod]: (analysis: Analysis, request: ServiceRequest) => ServiceResults[K];
};

const SERVICE_HANDLERS: Omit<ServiceHandlers, 'format'> = {
  complete: (analysis, { file, offset }) => completionsAt(analysis, file, offset),
  hover: (analysis, { file, offset }) => hoverAt(analysis, file, offset),
  signature: (analysis, { file, offset }) => signatureAt(analysis, file, offset),
  definition: (analysis, { file, offset }) => definitionAt(analysis, file, offset),
  references: (analysis, { file, offset }) => referencesAt(analysis, file, offset),
  prepareRename: (analysis, { file, offset }) => renameAt(analysis, file, offset),
  adhoc: (analysis, { file, offset }) => adhocAnalysis(analysis, file, offset),
  rename: (analysis, { file, offset, newName }) => rename(analysis, file, offset, newName ?? ''),
};

function serviceResult(files: readonly SourceFile[], request: ServiceRequest): ServiceResults[ServiceMethod] {
  // Formatting needs no analysis.
  if (request.kind === 'format') {
    return formatEdits(request.file, files.find(({ file }) => file === request.file)?.text ?? '');
  }
  return SERVICE_HANDLERS[request.kind](analysed(files), request);
}
