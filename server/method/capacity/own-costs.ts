import type { CapacityLoad, OwnFigures } from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { scaled } from '../statistics/estimates.ts';
import type { Cost, CostSource } from './costs.ts';

/** What was pasted. Figures of handshakes and signatures are those of the load's key and group, and of no other. */
export function ownCosts(own: OwnFigures, { key, group }: CapacityLoad): CostSource {
  return {
    request: () => pasted(own.requestUs, 'Your own figure, taken as one at load.'),
    connection: () => pasted(own.connectionUs),
    full: (asked, agreed) => (asked === key && agreed === group ? pasted(own.fullUs) : null),
    resumed: (agreed) => (agreed === group ? pasted(own.resumedUs) : null),
    byte: () => pasted(own.nsPerByte === undefined ? undefined : scaled(own.nsPerByte, 1e-3)),
    signs: (asked) => (asked === key ? pasted(own.signsPerS) : null),
  };
}

function pasted(value: Estimate | undefined, from = 'Your own figure.'): Cost | null {
  return value === undefined ? null : { value, source: 'pasted', from };
}
