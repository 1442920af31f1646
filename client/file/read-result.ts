import type { MeasurementDocument } from '../../shared/kinds.ts';

/** The result that the page was sent with; unpack.js has put it there. It comes from the server, which knows it to be one. */
export function readResult(): MeasurementDocument {
  return (globalThis as unknown as { result: MeasurementDocument }).result;
}
