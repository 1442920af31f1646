import { nameSizeArm } from '../../../shared/kinds/sizes/size-arm.ts';
import type { ArmFacts, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';

const httpsColors = ['#D55E00', '#8A63B5', '#009E73', '#B8860B'];

/** How an arm is called and drawn: http as everywhere, the suites apart from it and from each other. */
export function lookOfArm({ arm, suite }: Pick<ArmFacts, 'arm' | 'suite'>) {
  const label = nameSizeArm({ arm, suite });
  if (arm === 'http') return { label, color: '#0072B2', dashed: false, marker: 'circle' as const };
  return {
    label,
    color: httpsColors[arm] ?? '#D55E00',
    dashed: true,
    marker: 'diamond' as const,
  };
}

export function lookIn(document: Pick<SizesDocument, 'arms'>, arm: ArmFacts['arm']) {
  return lookOfArm(document.arms.find((each) => each.arm === arm) ?? { arm, suite: null });
}
