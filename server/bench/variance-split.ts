import { meanOf } from '../method/statistics/mean.ts';

/** What one epoch of one launch of one run says, on an additive scale. */
export type EpochValue = {
  run: number;
  launch: number;
  value: number;
  /** Its standard error, from what varied within the epoch; null where that is not known. */
  error: number | null;
};

/**
 * Standard deviations that add up, by their squares, to that of a single epoch's value. A part whose estimate would be
 * negative is 0; null where there is nothing to tell it from.
 */
export type VarianceSplit = {
  /** Between runs, beyond what their launches explain: the machine changes with the hour. */
  runs: number | null;
  launches: number | null;
  epochs: number | null;
  /** Within an epoch. */
  rest: number | null;
};

/** By the mean squares of a nested analysis of variance, with mean numbers of epochs and launches where they differ. */
export function splitVariance(values: readonly EpochValue[]): VarianceSplit {
  const runs = [...Map.groupBy(values, ({ run }) => run).values()].map((of) =>
    [...Map.groupBy(of, ({ launch }) => launch).values()].map((epochs) => epochs.map(({ value }) => value)),
  );
  const launches = runs.flat();
  const launchMeans = runs.map((of) => of.map(meanOf));
  const ofEpochs = varianceWithin(launches);
  const ofLaunches = varianceWithin(launchMeans);
  const ofRuns = varianceWithin([launchMeans.map(meanOf)]);
  const errors = values.flatMap(({ error }) => error ?? []);
  const rest = errors.length === 0 ? null : meanOf(errors.map((error) => error ** 2));
  return {
    runs: beyond(ofRuns, ofLaunches, sizeOf(launchMeans)),
    launches: beyond(ofLaunches, ofEpochs, sizeOf(launches)),
    epochs: beyond(ofEpochs, rest, 1),
    rest: rest === null ? null : Math.sqrt(rest),
  };
}

/** The variance between means, less what the variance of their parts contributes. */
function beyond(whole: number | null, ofParts: number | null, parts: number): number | null {
  if (whole === null) return null;
  return Math.sqrt(Math.max(0, whole - (ofParts ?? 0) / parts));
}

/** Pooled over groups; null where none has two values. */
function varianceWithin(groups: readonly (readonly number[])[]): number | null {
  const degrees = groups.reduce((sum, group) => sum + group.length - 1, 0);
  if (degrees <= 0) return null;
  const squares = groups.flatMap((group) => group.map((value) => (value - meanOf(group)) ** 2));
  return squares.reduce((sum, square) => sum + square, 0) / degrees;
}

function sizeOf(groups: readonly (readonly number[])[]): number {
  return groups.length === 0 ? 1 : meanOf(groups.map(({ length }) => length));
}
