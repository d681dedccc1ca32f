/** Where the server began with texts that do not compile: why it runs no module, before anybody has saved anything. */

import { Button } from '@mantine/core';
import { DiagnosticList } from '../../domain/failure/diagnostic-list.js';
import { useHealth } from '../../server-state/queries.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { compileState } from '../../workspace/compiler.js';
import { problemsOpen } from '../../workspace/workspace.js';

export function NothingRuns() {
  const { diagnostics } = useStore(compileState);
  const loaded = useHealth().data?.module.loaded;
  const areProblemsShown = useStore(problemsOpen);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (loaded !== false || first === undefined) return null;
  return (
    <div className="notice nothing-runs" data-tone="warning">
      <Glyph kind="warning" />
      <div className="notice-body">
        The server runs no module, since the text has {errors.length === 1 ? 'an error' : `${errors.length} errors`}.
        Mend and save it.
        {!areProblemsShown && <DiagnosticList diagnostics={[first]} />}
      </div>
      {!areProblemsShown && errors.length > 1 && (
        <Button variant="default" onClick={() => problemsOpen.set(true)}>
          Show problems
        </Button>
      )}
    </div>
  );
}
