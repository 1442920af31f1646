import type { MeasurementDocument } from '../../shared/kinds.ts';
import type { ShownLabel } from '../../shared/label.ts';

/** A document, and what was written on it when the file was made. */
export type SavedResult = { document: MeasurementDocument; label: ShownLabel };

/** The result that the page was sent with; unpack.js has put it there. It comes from the server, which knows it to be one. */
export function readResult(): SavedResult {
  return (globalThis as unknown as { result: SavedResult }).result;
}
