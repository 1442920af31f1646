import type { LabOutcome, LabRequest } from '../../shared/lab-document.ts';
import type { LabStep } from '../../shared/lab-progress.ts';

export type LabWatch = {
  /** Ends the measurement; what was measured until then is kept. */
  signal: AbortSignal;
  tell(step: LabStep): void;
  /** Told now and then what there is until then, as it would stand if the server stopped. */
  keep(soFar: LabOutcome): void;
};

/** The kinds of measurement that the lab makes, as whoever queues and stores them needs to know them. */
export type LabRoom = {
  /** A line for lists. Throws invalid_request, naming the values, for what cannot be measured. */
  titleOf(request: LabRequest): string;
  conduct(request: LabRequest, watch: LabWatch): Promise<LabOutcome>;
  /** The outcome before anything was measured. */
  nothingYet(request: LabRequest): LabOutcome;
};
