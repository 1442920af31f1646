import type { Arm } from '../../../../shared/transport.ts';

/** How orders of arms are written. */
export const letters: Record<Arm, string> = { baseline: 'A', comparison: 'B', twin: 'N' };
