/** The metrics of a server, for Prometheus. docs/operations.md lists them. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES } from '../../api/errors.js';
import type { Runtime } from '../../world/index.js';

export interface Metrics {
  /** Called when a request has ended. `operation` is `page` for its files, and `none` without a route. `code` is of a failure. */
  noteRequest(operation: string, status: number, code: string | undefined, durationMs: number): void;
  /** Called when a write runs again. */
  noteRerun(): void;
  /** Prometheus' text format. */
  text(): Promise<string>;
}

/** The content type of `Metrics.text`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const DURATIONS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(runtime: Pick<Runtime, 'usage'>, version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'entail_http_requests_total',
    help: 'Requests that have ended.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'entail_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: DURATIONS_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'entail_errors_total',
    help: 'Failed requests by error code.',
    labelNames: ['code'],
    registers,
  });
  // Prometheus sees the first failure of a code as an increase only if the counter was there before.
  for (const code of ERROR_CODES) errors.inc({ code }, 0);
  const reruns = new Counter({
    name: 'entail_write_reruns_total',
    help: 'Writes that ran again because another server wrote first, or the module was replaced.',
    registers,
  });
  const scopes = new Gauge({ name: 'entail_open_scopes', help: 'Scopes in memory.', registers });
  const facts = new Gauge({
    name: 'entail_stored_facts',
    help: 'Stored facts of the fork main of the scopes in memory.',
    registers,
  });
  const connections = new Gauge({
    name: 'entail_store_connections',
    help: 'Connections to the database, and work that waits for one.',
    labelNames: ['state'],
    registers,
  });
  new Gauge({ name: 'entail_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set({ version }, 1);
  let isWatching = false;
  return {
    noteRequest(operation, status, code, durationMs) {
      requests.inc({ operation, status });
      durations.observe({ operation }, durationMs / 1_000);
      if (code !== undefined) errors.inc({ code });
    },
    noteRerun: () => reruns.inc(),
    async text() {
      // Watching the event loop and garbage collection costs time, so it begins with the first scrape.
      if (!isWatching) collectDefaultMetrics({ register: registry });
      isWatching = true;
      const usage = await runtime.usage();
      scopes.set(usage.scopes);
      facts.set(usage.facts);
      for (const [state, count] of Object.entries(usage.connections ?? {})) connections.set({ state }, count);
      return registry.metrics();
    },
  };
}
