import { contrastOf } from '../../../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';

/** What is measured in turn in every run. */
export const runArms = twoSidesAndTwin;

/** What a run is asked: what the comparison takes compared with the baseline, which the twin is again. */
export const question = contrastOf(runArms);
