/** A language server over two streams: the language service in the Language Server Protocol. */

import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  DocumentHighlightKind,
  FoldingRangeKind,
  type InitializeParams,
  type InitializeResult,
  MarkupKind,
  ResponseError,
  SemanticTokensBuilder,
  type SignatureInformation,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { serialQueue } from '../base/serial-queue.js';
import { formatEdits } from '../language/format/index.js';
import {
  type Analysis,
  COLOURS,
  coloursOf,
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
} from '../language/service/index.js';
import {
  COMPLETION_KINDS,
  diagnosticOf,
  locationOf,
  rangeOf,
  SYMBOL_KINDS,
  textEdit,
  workspaceEdit,
} from './conversions.js';
import { type LiveServer, liveHints } from './live-counts.js';
import { createWorkspace, pathOf, type Workspace } from './workspace.js';

const SERVER: InitializeResult = {
  serverInfo: { name: 'entail' },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['.', ':', '@'] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    semanticTokensProvider: {
      legend: { tokenTypes: [...COLOURS], tokenModifiers: ['declaration', 'defaultLibrary', 'documentation'] },
      full: true,
    },
    foldingRangeProvider: true,
    signatureHelpProvider: { triggerCharacters: ['(', ','] },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    documentFormattingProvider: true,
  },
};

const LIVE_SERVER: InitializeResult = {
  ...SERVER,
  capabilities: { ...SERVER.capabilities, inlayHintProvider: true },
};

/** RequestFailed of LSP 3.17: a valid request that cannot be fulfilled. */
const REQUEST_FAILED = -32803;

/**
 * Serves one client until `exit`. Resolves with whether the client sent `shutdown` first, as the protocol asks. With
 * `live`, offers its counts as inlay hints.
 */
export function serveLanguage(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  live?: LiveServer,
): Promise<boolean> {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const workspace = createWorkspace();
  answer(connection, documents, workspace, live);
  documents.listen(connection);
  return new Promise((resolve) => {
    let isShutDown = false;
    connection.onShutdown(() => {
      isShutDown = true;
    });
    connection.onExit(() => resolve(isShutDown));
    connection.listen();
  });
}

function answer(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
  live: LiveServer | undefined,
): void {
  let folders: string[] = [];
  let watches = false;
  /** Files for which diagnostics were sent. */
  let shown = new Set<string>();

  const publish = (): void => {
    const { sources, diagnostics } = workspace.analysis();
    const files = new Set(sources.map(({ file }) => file));
    for (const uri of new Set([...files, ...shown])) {
      const own = diagnostics.filter(({ span }) => span.file === uri).map(diagnosticOf);
      void connection.sendDiagnostics({ uri, diagnostics: own });
    }
    shown = files;
  };
  const oneAtATime = serialQueue();
  // Reads must finish in order, or an older one would overwrite a newer one.
  const reread = (): Promise<void> =>
    oneAtATime(async () => {
      await workspace.readFolders(folders);
      publish();
    });

  connection.onInitialize((params): InitializeResult => {
    folders = foldersOf(params);
    watches = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return live === undefined ? SERVER : LIVE_SERVER;
  });
  connection.onInitialized(async () => {
    const watchers = [{ globPattern: '**/*.entail' }];
    if (watches) await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    await reread();
  });
  connection.onDidChangeWatchedFiles(reread);
  documents.onDidChangeContent(({ document }) => {
    workspace.setOpen(document.uri, document.getText());
    publish();
  });
  documents.onDidClose(({ document }) => {
    workspace.setOpen(document.uri, undefined);
    publish();
  });
  handlePositionRequests(connection, documents, workspace);
  handleFileRequests(connection, documents, workspace);
  if (live !== undefined) handleLiveRequests(connection, workspace, live);
}

/** A server that does not answer gives no hints: the editor asks again after the next change. */
function handleLiveRequests(connection: Connection, workspace: Workspace, live: LiveServer): void {
  connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, cancelled) => {
    const abort = new AbortController();
    cancelled.onCancellationRequested(() => abort.abort());
    try {
      return await liveHints(live, workspace.analysis(), uri, range, abort.signal);
    } catch {
      return [];
    }
  });
}

/** Older clients send a root instead of folders. */
function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
  return uris.flatMap((uri) => pathOf(uri) ?? []);
}

interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

/** Requests about a position. */
function handlePositionRequests(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
): void {
  const documentOf = documentsOf(documents, workspace);
  const at = <T>(
    { textDocument: { uri }, position }: Place,
    ask: (analysis: Analysis, uri: string, offset: number) => T,
  ) => ask(workspace.analysis(), uri, documentOf(uri).offsetAt(position));

  connection.onCompletion((place) => {
    const document = documentOf(place.textDocument.uri);
    const { from, to, items } = at(place, completionsAt);
    const range = { start: document.positionAt(from), end: document.positionAt(to) };
    return items.map(
      ({ label, kind, detail, doc, insert, also = [], rank }): CompletionItem => ({
        label,
        kind: COMPLETION_KINDS[kind],
        ...(detail === null ? {} : { detail }),
        ...(doc === null ? {} : { documentation: doc }),
        sortText: `${String(rank).padStart(3, '0')}${label}`,
        textEdit: { range, newText: insert ?? label },
        additionalTextEdits: also.map((edit) => textEdit(edit, document)),
      }),
    );
  });
  connection.onHover((place) => {
    const hover = at(place, hoverAt);
    if (hover === null) return null;
    const parts = [`\`\`\`entail\n${hover.signature}\n\`\`\``, hover.doc ?? '', ...hover.notes];
    const value = parts.filter((part) => part !== '').join('\n\n');
    return { range: rangeOf(hover.span), contents: { kind: MarkupKind.Markdown, value } };
  });
  connection.onDefinition((place) => at(place, definitionAt).map(locationOf));
  connection.onReferences((place) =>
    at(place, referencesAt)
      .filter(({ isDeclaration }) => !isDeclaration || place.context.includeDeclaration)
      .map(({ span }) => locationOf(span)),
  );
  connection.onDocumentHighlight((place) =>
    at(place, referencesAt)
      .filter(({ span }) => span.file === place.textDocument.uri)
      .map(({ span, isDeclaration }) => ({
        range: rangeOf(span),
        kind: isDeclaration ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
  );
  connection.onPrepareRename((place) => {
    const found = at(place, renameAt);
    return found.ok
      ? { range: rangeOf(found.span), placeholder: found.name }
      : new ResponseError(REQUEST_FAILED, found.reason);
  });
  connection.onRenameRequest((place) => {
    const outcome = at(place, (analysis, uri, offset) => rename(analysis, uri, offset, place.newName));
    return outcome.ok ? workspaceEdit(outcome.edits, documentOf) : new ResponseError(REQUEST_FAILED, outcome.reason);
  });
  connection.onSignatureHelp((place) => {
    const help = at(place, signatureAt);
    if (help === null) return null;
    const signature: SignatureInformation = {
      label: help.label,
      ...(help.doc === null ? {} : { documentation: help.doc }),
      parameters: help.parameters.map(({ from, to, doc }) => ({
        label: [from, to],
        ...(doc === null ? {} : { documentation: doc }),
      })),
    };
    // After the last parameter none is active. Older clients expect an index out of range for that.
    return { signatures: [signature], activeSignature: 0, activeParameter: help.active ?? help.parameters.length };
  });
}

/** Requests about a file or a range of it. */
function handleFileRequests(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
): void {
  const documentOf = documentsOf(documents, workspace);
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const { sources, modules } = workspace.analysis();
    const module = modules[sources.findIndex(({ file }) => file === uri)];
    if (module === undefined) return [];
    return outlineOf(module).map(({ name, kind, span }) => ({
      name,
      kind: SYMBOL_KINDS[kind],
      range: rangeOf(span),
      selectionRange: rangeOf(span),
    }));
  });
  connection.onWorkspaceSymbol(({ query }) => {
    const wanted = query.toLowerCase();
    return workspace.analysis().modules.flatMap((module) =>
      outlineOf(module)
        .filter(({ name, kind }) => kind !== 'fact' && name.toLowerCase().includes(wanted))
        .map(({ name, kind, span }) => ({ name, kind: SYMBOL_KINDS[kind], location: locationOf(span) })),
    );
  });
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
    const document = documentOf(uri);
    const tokens = new SemanticTokensBuilder();
    for (const { start, end, colour, isDeclaration, isStandard, isDocumentation } of coloursOf(
      workspace.analysis(),
      uri,
    )) {
      const { line, character } = document.positionAt(start);
      const modifiers = (isDeclaration ? 1 : 0) | (isStandard ? 2 : 0) | (isDocumentation ? 4 : 0);
      tokens.push(line, character, end - start, COLOURS.indexOf(colour), modifiers);
    }
    return tokens.build();
  });
  connection.onFoldingRanges(({ textDocument: { uri } }) => {
    const document = documentOf(uri);
    return foldingRanges(workspace.analysis(), uri).map(({ from, to, kind }) => ({
      startLine: document.positionAt(from).line,
      endLine: document.positionAt(to).line,
      ...(kind === 'block' ? {} : { kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Imports }),
    }));
  });
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const document = documentOf(uri);
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return quickFixes(workspace.analysis(), uri, from, to).map(
      ({ title, diagnostic, edits }): CodeAction => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnosticOf(diagnostic)],
        edit: workspaceEdit(edits, documentOf),
      }),
    );
  });
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const document = documentOf(uri);
    return formatEdits(uri, document.getText()).map((edit) => textEdit(edit, document));
  });
}

/** Open documents, and files on disk as documents, to convert offsets to positions. */
function documentsOf(documents: TextDocuments<TextDocument>, workspace: Workspace): (uri: string) => TextDocument {
  return (uri) => {
    const text = workspace.analysis().sources.find(({ file }) => file === uri)?.text ?? '';
    return documents.get(uri) ?? TextDocument.create(uri, 'entail', 0, text);
  };
}
