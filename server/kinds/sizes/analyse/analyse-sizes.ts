import { lowered } from '../../../../shared/base/capitalized.ts';
import { nameSizeArm } from '../../../../shared/kinds/sizes/size-arm.ts';
import { chosenLine } from '../../../../shared/kinds/sizes/size-line.ts';
import type {
  RoundPoint,
  SizeComparison,
  SizeOverhead,
  SizePoint,
  SizeRound,
  SizesFacts,
  SizesFindings,
  SizesRequest,
} from '../../../../shared/kinds/sizes/sizes.ts';
import { compareSizes } from '../../../method/statistics/compare-sizes.ts';
import { fitSizes } from '../../../method/statistics/fit-sizes.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';
import type { SizeTable } from '../../../method/statistics/size-table.ts';
import { sizeTablesOf } from './size-tables.ts';
import { sizesVerdict } from './sizes-verdict.ts';
import { twinRatioOf, twinRefusal } from './twin-ratios.ts';

/** What the rounds say so far: points of every arm, lines, and each https arm against http. */
export function analyseSizes(
  request: Pick<SizesRequest, 'sizes'>,
  facts: Pick<SizesFacts, 'arms' | 'linkBytesPerS'>,
  rounds: readonly SizeRound[],
): SizesFindings {
  const { sizes } = request;
  const names = facts.arms.map(({ arm }) => arm);
  const { latency, cpu, leftOut } = sizeTablesOf(names, sizes, rounds, facts.linkBytesPerS);
  const visits = Map.groupBy(
    rounds.flatMap(({ points }) => points).filter(({ transactions }) => transactions > 0),
    ({ arm, size }) => `${arm} ${size}`,
  );
  const arms = facts.arms.map((of, index) => {
    const fitOf = (table: SizeTable | undefined) =>
      table === undefined ? null : fitSizes(table, { encrypted: of.arm !== 'http' });
    return {
      ...of,
      points: sizes.flatMap((size) => {
        const own = visits.get(`${of.arm} ${size}`);
        return own === undefined ? [] : [poolPoint(size, own)];
      }),
      latency: fitOf(latency[index]),
      cpu: fitOf(cpu?.[index]),
    };
  });
  const overheadOf = (quantity: 'latency' | 'cpu', index: number): SizeOverhead | null => {
    const tables = quantity === 'cpu' ? cpu : latency;
    const [plain, secure] = [tables?.[0], tables?.[index]];
    const [plainFit, secureFit] = [arms[0]?.[quantity], arms[index]?.[quantity]];
    return plain === undefined || secure === undefined || plainFit == null || secureFit == null
      ? null
      : compareSizes({ table: plain, fit: plainFit }, { table: secure, fit: secureFit });
  };
  const unlike = twinRefusal(rounds);
  const comparisons = arms.flatMap((secure, index): SizeComparison[] => {
    const inLatency = secure.arm === 'http' ? null : overheadOf('latency', index);
    if (secure.arm === 'http' || inLatency === null) return [];
    return [
      {
        arm: secure.arm,
        latency: inLatency,
        cpu: overheadOf('cpu', index),
        verdict:
          unlike === null
            ? sizesVerdict(nameSizeArm(secure), inLatency, refusalOf(arms[0], secure))
            : { sentence: unlike, outcome: 'refused' },
      },
    ];
  });
  const twinRatios = { latency: twinRatioOf('latency', rounds), cpu: twinRatioOf('cpu', rounds) };
  return { arms, comparisons, twinRatios, leftOut };
}

type Arm = SizesFindings['arms'][number];

/** Of the lines that the comparison uses: the first that is refused. */
function refusalOf(plain: Arm | undefined, secure: Arm): string | null {
  const lines = [plain, secure].flatMap((arm) => {
    const line = arm?.latency == null ? null : chosenLine(arm.latency);
    return arm === undefined || line === null ? [] : [{ name: nameSizeArm(arm), line }];
  });
  const refused = lines.find(({ line }) => line.refusals.length > 0);
  return refused === undefined
    ? null
    : `The figures of ${refused.name} do not lie on a line: ${lowered(refused.line.refusals[0] ?? '')}`;
}

/** One size over one arm, from its visits of all rounds, one or more; shown also where no line is fitted to it. */
function poolPoint(size: number, visits: readonly RoundPoint[]): SizePoint {
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
