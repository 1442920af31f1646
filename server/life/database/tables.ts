import type { Column } from './migrations/columns.ts';
import type { firstTables } from './migrations/first-tables.ts';

/** The tables as queries see them; the plugin of `open-database.ts` turns these names into snake_case. */
export type Tables = {
  [Table in keyof typeof firstTables]: {
    [Name in keyof (typeof firstTables)[Table]]: (typeof firstTables)[Table][Name] extends Column<infer Value>
      ? Value
      : never;
  };
};

/** Of the history, whose columns are in `shared/kinds/comparison/history.ts`: what a run says of a metric. */
export type FigureTables = {
  metricFigures: {
    measurementId: string;
    place: number;
    question: string;
    metric: string;
    length: string;
    baseline: number | null;
    shift: number | null;
    shiftLo: number | null;
    shiftHi: number | null;
    ratio: number | null;
    ratioLo: number | null;
    ratioHi: number | null;
    verdict: string;
    /** Of the logarithm of the ratio. */
    withinError: number | null;
    samples: number | null;
    launchesVariance: number | null;
    launchesBySamples: number | null;
    launchesDegrees: number | null;
    wideningDrift: number | null;
    wideningTwin: number | null;
    wideningCarryOver: number | null;
    loadUsers: number | null;
    loadRatePerS: number | null;
    loadClass: string | null;
    targetKind: string | null;
    programs: string | null;
    departed: string | null;
    machine: string | null;
  };
};
