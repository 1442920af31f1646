import type { ShownAnnotation } from '../../shared/measurement/annotation.ts';
import type { ShownMeasurement } from '../../shared/measurement/shown-measurement.ts';
import type { ExplainedRun } from '../features/run/finished/saved-explanation.ts';

/** A document, and what was written on it when the file was made; a run with what it was explained by, if it was. */
export type SavedResult = {
  document: ShownMeasurement;
  annotation: ShownAnnotation;
  explained?: ExplainedRun;
};

/** Several of them, each with its line of the title page. */
export type SavedReport = {
  title: string;
  /** In milliseconds since 1970. */
  madeAt: number;
  results: (SavedResult & { line: ReportLine })[];
};

type ReportLine = {
  headline: string;
  /** What was asked of what. */
  setting: string;
  /** The first metric with its interval; null of a result without one. */
  figure: string | null;
};

/** What the page was sent with; unpack.js has put it there. It comes from the server, which knows it to be that. */
export function readSaved(): SavedResult | SavedReport {
  return (globalThis as unknown as { result: SavedResult | SavedReport }).result;
}
