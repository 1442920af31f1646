import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countMeasurements } from '../../life/database/measurements.ts';
import type { Database } from '../../life/database/open-database.ts';
import type { Measurements } from '../../life/measurement/asked-measurements.ts';

/** Metrics of this process, for Prometheus. */
export type Metrics = {
  /** Measures every response. */
  measureRequests: RequestHandler;
  /** In the text format of Prometheus, of the given type. */
  read(): Promise<{ text: string; mediaType: string }>;
};

type Watched = { database: Database; status: Measurements['status']; version: string };

/** Reads the queue only when somebody asks. Watches requests and the process from now on. */
export function openMetrics({ database, status, version }: Watched): Metrics {
  const register = new Registry();
  const registers = [register];
  // Sampling the event loop every 10 ms, the default, costs 0.5 % of a core.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 100 });

  const info = new Gauge({
    name: 'tls_toll_info',
    help: 'The running version, as a label.',
    labelNames: ['version'],
    registers,
  });
  info.set({ version }, 1);
  const running = new Gauge({ name: 'tls_toll_running', help: 'Measurements under way.', registers });
  const queued = new Gauge({
    name: 'tls_toll_queued',
    help: 'Measurements waiting in the queue.',
    registers,
  });
  const stored = new Gauge({
    name: 'tls_toll_measurements',
    help: 'Stored measurements, except those in the bin.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const durations = new Histogram({
    name: 'tls_toll_http_request_duration_seconds',
    help: 'Time from a request to the end of its response. Event streams count until they close.',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });

  return {
    measureRequests(request, response, next) {
      const end = durations.startTimer({ method: request.method });
      response.once('close', () => void end({ status: response.statusCode }));
      next();
    },
    async read() {
      await look();
      return { text: await register.metrics(), mediaType: register.contentType };
    },
  };

  async function look(): Promise<void> {
    const { running: id, queued: waiting } = status();
    running.set(id === null ? 0 : 1);
    queued.set(waiting);
    const counts = await countMeasurements(database);
    stored.reset();
    for (const { kind, state, count } of counts) stored.set({ kind, state }, count);
  }
}
