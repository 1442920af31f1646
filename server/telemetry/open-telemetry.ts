import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { millisToHrTime, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { metricData } from './metric-data.ts';
import { observeMeasurement } from './observe-measurement.ts';
import { openExporters } from './open-exporters.ts';
import { openOutages } from './outages.ts';
import { requestSpan } from './request-span.ts';
import type { PlainSpan, Telemetry } from './telemetry.ts';
import { traceIdOf } from './trace-id.ts';

/** How long `close` waits for a collector that does not answer. */
const lastCallMs = 2_000;

/** Nothing is registered globally, so libraries that support OpenTelemetry send nothing of their own. */
export async function openTelemetry(
  sent: TelemetryConfig,
  { version, instance }: { version: string; instance: string },
  say: (sentence: string) => void,
): Promise<Telemetry> {
  const outages = openOutages(say);
  const exporters = await openExporters(sent.protocol, outages);
  const resource = describe(version, instance);
  const ids = openIds();
  const tracing = new TracerProvider({
    ...{ resource, idGenerator: ids },
    spanProcessors: sent.traces ? [new BatchSpanProcessor({ exporter: exporters.traces })] : [],
  });
  const scope = { name: 'tls-toll', version };
  const tracer = tracing.getTracer(scope.name, scope.version);
  const propagator = new W3CTraceContextPropagator();
  let metering: MeterProvider | null = null;

  /** Returns the context of what belongs below it. */
  function send(
    { name, attributes, startedAt, endedAt, error }: PlainSpan,
    kind: SpanKind,
    context: Context,
  ): Context {
    const startTime = millisToHrTime(startedAt);
    const span = tracer.startSpan(name, { kind, attributes, startTime }, context);
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end(millisToHrTime(endedAt));
    return trace.setSpan(context, span);
  }

  return {
    noteRequest(request) {
      const parent = propagator.extract(ROOT_CONTEXT, request.parent, defaultTextMapGetter);
      send(requestSpan(request), SpanKind.SERVER, parent);
    },

    observe: (measurement) =>
      observeMeasurement(measurement, ({ whole, parts }) => {
        ids.nextTrace(traceIdOf(measurement.id));
        const below = send(whole, SpanKind.INTERNAL, ROOT_CONTEXT);
        for (const part of parts) send(part, SpanKind.INTERNAL, below);
      }),

    sendMetrics(metrics) {
      if (!sent.metrics) return;
      const producer = produce(metrics, resource, scope);
      const reader = new PeriodicExportingMetricReader({
        ...{ exporter: exporters.metrics, metricProducers: [producer], exportIntervalMillis: 60_000 },
      });
      metering = new MeterProvider({ resource, readers: [reader] });
    },

    async close() {
      const all = Promise.allSettled([tracing.shutdown(), metering?.shutdown()]);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        outages.note('traces', new Error('no answer'));
        resolve();
      }, lastCallMs);
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME count more than what we say of ourselves. */
function describe(version: string, instance: string): Resource {
  const own = { 'service.name': 'tls-toll', 'service.version': version, 'service.instance.id': instance };
  const named = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(named);
}

/** Random, but for a trace that was announced. */
function openIds() {
  const random = new RandomIdGenerator();
  let announced: string | null = null;
  return {
    nextTrace(id: string) {
      announced = id;
    },
    generateTraceId() {
      const id = announced ?? random.generateTraceId();
      announced = null;
      return id;
    },
    generateSpanId: () => random.generateSpanId(),
  };
}

function produce(
  { families }: Pick<Metrics, 'families'>,
  resource: Resource,
  scope: { name: string; version: string },
): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin);
  return {
    async collect() {
      try {
        const metrics = metricData(await families(), { startTime, endTime: millisToHrTime(Date.now()) });
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
      } catch (error) {
        // The store is away, which is said elsewhere.
        return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [error] };
      }
    },
  };
}
