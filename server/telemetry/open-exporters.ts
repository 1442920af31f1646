import { type ExportResult, ExportResultCode, getNumberFromEnv } from '@opentelemetry/core';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from '../config.ts';
import type { Outages } from './outages.ts';

/** Limit of one export with its retries, unless OTEL_EXPORTER_OTLP_TIMEOUT sets another. */
const timeoutMs = 5_000;

type Exporters = { traces: SpanExporter; metrics: PushMetricExporter };

/** Endpoint, headers, certificates and compression are read from the environment by the exporters themselves. */
export async function openExporters(
  protocol: TelemetryConfig['protocol'],
  outages: Outages,
): Promise<Exporters> {
  const exporters = await load(protocol);
  watch(exporters.traces, (error) => outages.note('traces', error));
  watch(exporters.metrics, (error) => outages.note('metrics', error));
  return exporters;
}

async function load(protocol: TelemetryConfig['protocol']): Promise<Exporters> {
  const own = getNumberFromEnv('OTEL_EXPORTER_OTLP_TIMEOUT') === undefined;
  const options = own ? { timeoutMillis: timeoutMs } : {};
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] =
    protocol === 'http/json'
      ? await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-http'),
          import('@opentelemetry/exporter-metrics-otlp-http'),
        ])
      : await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-proto'),
          import('@opentelemetry/exporter-metrics-otlp-proto'),
        ]);
  return { traces: new OTLPTraceExporter(options), metrics: new OTLPMetricExporter(options) };
}

type Exporter<Items> = { export(items: Items, done: (result: ExportResult) => void): void };

function watch<Items>(exporter: Exporter<Items>, note: (error: Error | null) => void): void {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      note(failed ? (result.error ?? new Error('no answer')) : null);
      done(result);
    });
}
