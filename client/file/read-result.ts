import type { ShownAnnotation } from '../../shared/measurement/annotation.ts';
import type { ShownMeasurement } from '../../shared/measurement/shown-measurement.ts';

/** A document, and what was written on it when the file was made. */
export type SavedResult = { document: ShownMeasurement; annotation: ShownAnnotation };

/** The result that the page was sent with; unpack.js has put it there. It comes from the server, which knows it to be one. */
export function readResult(): SavedResult {
  return (globalThis as unknown as { result: SavedResult }).result;
}
