type Signal = 'traces' | 'metrics';

export type Outages = {
  /** How an export went; null when the collector took it. */
  note(signal: Signal, error: Error | null): void;
};

/** Says once that the collector does not take something, until it has taken everything again. */
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
  return `Cannot send ${signal} to OTEL_EXPORTER_OTLP_ENDPOINT (${why}). What it does not take is dropped. Measurements go on.`;
}
