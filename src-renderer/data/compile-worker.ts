/** The compiler in a worker of its own, so that typing never waits for it. The same compiler as the server's. */

import { compile } from '../../src-runtime/compiler/index.js';
import { parseModule } from '../../src-runtime/language/index.js';
import { outlineOf } from '../../src-runtime/language/service/index.js';
import type { CompileReply, CompileRequest } from './compile-messages.js';

self.addEventListener('message', (event: MessageEvent<CompileRequest>) => {
  const { id, files } = event.data;
  const startedAt = performance.now();
  const { artifact, diagnostics } = compile(files);
  const reply: CompileReply = {
    id,
    moduleHash: artifact?.integrity,
    diagnostics,
    outlines: Object.fromEntries(files.map(({ file, text }) => [file, outlineOf(parseModule(file, text).value)])),
    durationMs: performance.now() - startedAt,
  };
  self.postMessage(reply);
});
