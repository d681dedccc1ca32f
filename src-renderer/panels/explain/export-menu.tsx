/** Saves or copies an explanation: SVG, JSON, an outline as text, or sentences. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import type { Step } from '../../domain/proof/proof-outline.js';
import { measureText } from '../../graph/svg-drawing.js';
import { safeFileName, saveFile } from '../../state/save-file.js';
import { graphSvg } from './graph/export-svg.js';
import type { ProofGraph } from './graph/proof-graph.js';
import { layoutProof } from './graph/proof-layout.js';
import { narrativeText } from './steps/narrative.js';
import { inBriefNaming, type Naming, stepText } from './steps/step-text.js';

interface ExportMenuProps {
  /** The response as received, and the shown outline as text. */
  readonly json: () => string;
  readonly text: () => string;
  /** The part of the graph that is drawn. */
  readonly graph: ProofGraph;
  readonly title: string;
  readonly naming: Naming;
  readonly steps: readonly Step[];
}

export function ExportMenu({ json, text, graph, title, naming, steps }: ExportMenuProps) {
  const name = safeFileName(title, 'explanation');
  const svg = async (): Promise<string> =>
    graphSvg({
      title,
      graph,
      ...(await layoutProof(graph)),
      textOf: (step) => stepText(step, naming),
      briefOf: (step) => stepText(step, inBriefNaming(naming)),
      measure: measureText,
    });
  const save = (make: () => string | Promise<string>, ending: string, type: string) => (): void => {
    void attempt(async () => {
      saveFile(`${name}.${ending}`, await make(), type);
      return `Saved as ${name}.${ending}`;
    });
  };
  const copy = (make: () => string | Promise<string>, what: string) => (): void => {
    void attempt(async () => {
      await navigator.clipboard.writeText(await make());
      return `${what} copied`;
    });
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="subtle" size="compact-xs" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Save</Menu.Label>
        <Menu.Item onClick={save(svg, 'svg', 'image/svg+xml')}>Graph as SVG</Menu.Item>
        <Menu.Item onClick={save(json, 'json', 'application/json')}>Explanation as JSON</Menu.Item>
        <Menu.Item onClick={save(text, 'txt', 'text/plain')}>Outline as text</Menu.Item>
        <Menu.Label>Copy</Menu.Label>
        <Menu.Item onClick={copy(svg, 'SVG')}>Copy SVG</Menu.Item>
        <Menu.Item onClick={copy(json, 'JSON')}>Copy JSON</Menu.Item>
        <Menu.Item onClick={copy(text, 'Text')}>Copy text</Menu.Item>
        <Menu.Item onClick={copy(() => narrativeText(steps, naming), 'Sentences')}>Copy sentences</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function attempt(run: () => Promise<string>): Promise<void> {
  try {
    notifications.show({ message: await run() });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    notifications.show({ color: 'red', title: 'Could not export', message });
  }
}
