import { isRecord } from '../../text/is-record.ts';

/** Schema 2 tells how well each end's CPU time is known, where they were measured apart. */
export function addIntervalsOfEnds(older: Record<string, unknown>): Record<string, unknown> {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(withIntervals) : value);
  return {
    ...older,
    cells: list(older.cells),
    baseline: withIntervals(older.baseline),
    plain: list(older.plain),
  };
}

function withIntervals(figure: unknown): unknown {
  if (!isRecord(figure) || !isRecord(figure.ends)) return figure;
  const { connections, clientCpuUs, serverCpuUs } = figure.ends;
  const exactly = (us: unknown) => ({ center: us, lo: us, hi: us });
  return {
    ...figure,
    ends: { connections, clientCpuUs: exactly(clientCpuUs), serverCpuUs: exactly(serverCpuUs) },
  };
}
