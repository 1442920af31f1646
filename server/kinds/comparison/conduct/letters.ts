import type { Arm } from '../../../../shared/base/transport.ts';

/** How orders of arms are written. */
export const letters: Record<Arm, string> = { baseline: 'A', comparison: 'B', twin: 'N' };
