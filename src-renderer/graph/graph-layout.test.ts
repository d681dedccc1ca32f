import { expect, it, vi } from 'vitest';

vi.mock('elkjs/lib/elk-worker.min.js?worker', async () => {
  // Runs the layouter without a worker.
  const { default: worker } = await import('elkjs/lib/elk-worker.min.js' as string);
  return { default: worker.Worker };
});

it('lays out a graph with many edges over many layers', async () => {
  // A second instance of the module: another test may have loaded the one with the real worker.
  const { layoutGraph }: typeof import('./graph-layout.js') = await import('./graph-layout.js?own' as string);
  const steps = Array.from({ length: 95 }, (_, at) => at);
  const nodes = ['root', ...steps.flatMap((at) => [`step ${at}`, `fact ${at}`])].map((id) => ({ id }));
  const edges = steps.flatMap((at) => [
    { id: `root ${at}`, from: 'root', to: `step ${at}` },
    { id: `fact ${at}`, from: `step ${at}`, to: `fact ${at}` },
    ...(at === 0 ? [] : [{ id: `step ${at}`, from: `step ${at}`, to: `step ${at - 1}` }]),
  ]);
  const { positions } = await layoutGraph({ nodes, edges }, { nodeWidth: 148, nodeHeight: 56, gap: 8, layerGap: 28 });
  expect(Object.keys(positions)).toHaveLength(nodes.length);
}, 60_000);
