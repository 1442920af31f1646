type Signal = 'traces' | 'metrics';

export type Outages = {
  /** How an export went; null when the collector took it. */
  note(signal: Signal, error: Error | null): void;
};

/** One sentence an outage: the next one comes after the collector has accepted everything again. */
export function openOutages(say: (sentence: string) => void): Outages {
  const failing = new Set<Signal>();
  return {
    note(signal, error) {
      if (error === null) {
        failing.delete(signal);
        return;
      }
      if (failing.size === 0) say(sentence(signal, error));
      failing.add(signal);
    },
  };
}

function sentence(signal: Signal, { message, ...error }: Error & { code?: unknown }): string {
  const why = message || String(error.code ?? 'no answer');
  const off = `OTEL_${signal.toUpperCase()}_EXPORTER=none`;
  return `Cannot send ${signal} to OTEL_EXPORTER_OTLP_ENDPOINT (${why}). Measurements continue, and whatever the collector does not accept is dropped. Check the address, or set ${off}.`;
}
