import { contrastOf } from '../../../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';

/** The arms of every run. */
export const runArms = twoSidesAndTwin;

/** The comparison against the baseline and its twin. */
export const question = contrastOf(runArms);
