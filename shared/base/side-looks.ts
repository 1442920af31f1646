import { type BySide, isEncrypted, type Transport } from './transport.ts';

/** How a side is drawn wherever it stands. Color never stands alone: marker and line repeat it. */
export type SideLooks = { tone: keyof typeof sideColors; marker: 'circle' | 'diamond'; dashed: boolean };

export const sideColors = { clear: '#0072B2', encrypted: '#D55E00', second: '#8A63B5' };

/** HTTP is blue, round, and solid; HTTPS is vermillion, a diamond, and dashed. If both sides are the same, the comparison is neither. */
export function looksOf(sides: BySide<{ transport: Transport }>): BySide<SideLooks> {
  const baseline = lookOf(sides.baseline.transport);
  const comparison = lookOf(sides.comparison.transport);
  if (baseline.tone !== comparison.tone) return { baseline, comparison };
  return {
    baseline: { ...baseline, marker: 'circle', dashed: false },
    comparison: { tone: 'second', marker: 'diamond', dashed: true },
  };
}

function lookOf(transport: Transport): SideLooks {
  return isEncrypted(transport)
    ? { tone: 'encrypted', marker: 'diamond', dashed: true }
    : { tone: 'clear', marker: 'circle', dashed: false };
}
