import { estimateDecimals, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { nameSizeArm } from '../../../../shared/kinds/sizes/size-arm.ts';
import { chosenLine, type SizeLine } from '../../../../shared/kinds/sizes/size-line.ts';
import { describeLoad, titleOfSizes, unsaturated } from '../../../../shared/kinds/sizes/size-words.ts';
import type { SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { yearOf } from '../../../../shared/studies/study.ts';
import { webperf1998 } from '../../../../shared/studies/tables/webperf-1998.ts';

/** Sentences beside the tables of a sweep over sizes. */

/** Why lines are refused, and which sizes are in none. */
export function doubtsOf(document: SizesDocument): string[] {
  const { arms, leftOut } = document;
  const refused = (['latency', 'cpu'] as const).flatMap((quantity) =>
    arms.flatMap((arm) => {
      const fit = arm[quantity];
      if (fit === null) return [];
      const of = (line: SizeLine, of: string) =>
        line.refusals.map((reason) => `${titleOfSizes(quantity)}, ${nameSizeArm(arm)}, ${of}: ${reason}`);
      return [
        ...of(chosenLine(fit), 'line refused'),
        ...fit.pieces.flatMap((piece) =>
          of(piece, `line from ${printNumber(piece.residuals[0]?.size ?? 0, 0)} bytes on refused`),
        ),
      ];
    }),
  );
  const limit = unsaturated(document);
  return [
    ...refused,
    ...(limit === null ? [] : [limit]),
    ...leftOut.map(({ size, reason }) => `Left out: ${printNumber(size, 0)} bytes. ${reason}`),
  ];
}

/** How long it takes to open a connection, which no time of the sweep includes. */
export function connectingOf({ arms }: SizesDocument): string[] {
  const times = arms.flatMap((arm) =>
    arm.connectUs === null ? [] : [`${nameSizeArm(arm)} ${printNumber(arm.connectUs / 1000, 2)} ms`],
  );
  return times.length === 0
    ? []
    : [`Opening a connection, excluded from all other times: ${times.join(', ')}.`];
}

/** The study's loss of rate beside today's: straight lines, as it fitted them. */
export function thenAndNowOf({ arms, comparisons }: SizesDocument): string[] {
  const now = comparisons.flatMap(({ arm, latency }) => {
    const loss = latency?.straight.rateLossPercent;
    const facts = arms.find((each) => each.arm === arm);
    if (loss == null || facts === undefined) return [];
    const percent = (value: number) => printNumber(value, estimateDecimals(loss));
    const doubt = latency?.straight.holds ? '' : ', from refused lines';
    return [
      `${nameSizeArm(facts)} ${percent(loss.center)} % (95 % CI ${percent(loss.lo)} to ${percent(loss.hi)} %${doubt})`,
    ];
  });
  if (now.length === 0) return [];
  const then = webperf1998.map(({ server, rateLossPercent }) => `${server} ${rateLossPercent} %`);
  return [`Transfer rate lost in ${yearOf('webperf-1998')}: ${then.join(', ')}. Today: ${now.join(', ')}.`];
}

/** How far two identical listeners were apart. */
export function twinOf(document: SizesDocument): string[] {
  const { latency, cpu } = document.twinRatios;
  if (latency === null) return [];
  const inCpu = cpu === null ? '' : `, ${printChangeInterval(cpu)} in server CPU at load`;
  return [
    `Twin (a second HTTP listener against the first): ${printChangeInterval(latency)} in latency${inCpu}.`,
  ];
}

/** Such as `nginx 1.22.1`. */
export function nameOfServer({ server }: Pick<SizesDocument, 'server'>): string | null {
  return server === null ? null : `${server.title} ${server.version}`;
}

/** What the figures are. */
export function methodOf(document: SizesDocument): string {
  const { rounds, request } = document;
  const server = nameOfServer(document);
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  const transactions = rounds
    .flatMap(({ points }) => points)
    .reduce((sum, each) => sum + each.transactions + each.atLoad.transactions, 0);
  const load = describeLoad(document);
  return `${printNumber(transactions, 0)} requests on open connections in ${rounds.length} of ${request.rounds} rounds, ${launches === 1 ? 'on one launch of the servers' : 'each on servers started anew'}, sizes and arms in random order${server === null ? '' : `, ${server}`}. Times are medians of a round with one user, averaged over the rounds;${load === null ? '' : ` CPU is at load, ${load};`} intervals are 95 % CI over the rounds of this sweep. R² is weighted by 1/T²; * marks the line used.`;
}
