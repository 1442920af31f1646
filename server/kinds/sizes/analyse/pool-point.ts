import type { RoundPoint, SizePoint } from '../../../../shared/kinds/sizes/sizes.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';

/** One size over one arm, from its visits of all rounds, one or more; shown also where no line is fitted to it. */
export function poolPoint(size: number, visits: readonly RoundPoint[]): SizePoint {
  const typical = (read: (visit: RoundPoint) => number) =>
    Math.exp(meanOf(visits.map((visit) => Math.log(read(visit)))));
  const behindCpu = sumOf(visits.map(({ atLoad }) => atLoad.transactions));
  const cpuUs = sumOf(visits.map((visit) => (visit.cpuUs ?? Number.NaN) * visit.atLoad.transactions));
  return {
    ...{ size, rounds: visits.length, transactions: sumOf(visits.map((visit) => visit.transactions)) },
    medianUs: typical(({ medianUs }) => medianUs),
    p12_5: typical(({ p12_5 }) => p12_5),
    p87_5: typical(({ p87_5 }) => p87_5),
    p2_5: typical(({ p2_5 }) => p2_5),
    p97_5: typical(({ p97_5 }) => p97_5),
    cpuUs: Number.isNaN(cpuUs) || behindCpu === 0 ? null : cpuUs / behindCpu,
    atLoad: atLoadOf(visits),
  };
}

function atLoadOf(visits: readonly RoundPoint[]): SizePoint['atLoad'] {
  const busy = visits.flatMap(({ atLoad }) => atLoad.busyCores ?? []);
  return {
    transactions: sumOf(visits.map(({ atLoad }) => atLoad.transactions)),
    busyCores: busy.length < visits.length ? null : meanOf(busy),
  };
}
