import {
  type BySide,
  isEncrypted,
  type KnownSide,
  labelsOf,
  type SideName,
  type Transport,
} from '../../shared/base/transport.ts';

/** How one column of a comparison is called and drawn, the same everywhere. Colour never stands alone: dash and marker repeat it. */
export type Side = {
  key: SideName;
  label: string;
  color: string;
  dashed: boolean;
  marker: 'circle' | 'diamond';
};

export type Sides = BySide<Side>;

const colors = { clear: '#0072B2', encrypted: '#D55E00', second: '#8A63B5' };

function colorOf(transport: Transport): string {
  return isEncrypted(transport) ? colors.encrypted : colors.clear;
}

export function sidesOf(sides: BySide<KnownSide>): Sides {
  const { baseline, comparison } = {
    baseline: sides.baseline.transport,
    comparison: sides.comparison.transport,
  };
  const labels = labelsOf(sides);
  const alike = isEncrypted(baseline) === isEncrypted(comparison);
  return {
    baseline: {
      key: 'baseline',
      label: labels.baseline,
      color: colorOf(baseline),
      dashed: isEncrypted(baseline),
      marker: isEncrypted(baseline) ? 'diamond' : 'circle',
    },
    comparison: {
      key: 'comparison',
      label: labels.comparison,
      color: alike ? colors.second : colorOf(comparison),
      dashed: alike || isEncrypted(comparison),
      marker: alike || isEncrypted(comparison) ? 'diamond' : 'circle',
    },
  };
}
