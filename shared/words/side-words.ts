import { capitalized } from '../base/cut.ts';
import { printDayOfYear } from '../base/moment.ts';
import {
  isCounting,
  type PlacedOption,
  placeOptions,
  printOption,
  sideNameOf,
  valueIn,
} from '../base/option.ts';
import { printNumber } from '../base/quantity.ts';
import { joinValues, tlsOptions } from '../base/tls.ts';
import {
  type BySide,
  bySide,
  isEncrypted,
  type KnownSide,
  knownSide,
  labelsOf,
  schemeOf,
  sideNames,
  transportFacts,
} from '../base/transport.ts';
import {
  type AtLoad,
  type LoadChoice,
  type LongerTurnReason,
  loadInWords,
} from '../kinds/comparison/at-load.ts';
import type { OperatingPoint } from '../kinds/comparison/load-profile.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { type AskedSides, askedSidesOf, resolveSides, type Side } from '../kinds/comparison/run-request.ts';
import { serverOptions } from '../target/server-options.ts';
import { factsOf } from '../target/target-facts.ts';
import { serverTitles } from '../target/target-words.ts';

/** Differences between the two sides of a request, and the name that each side has for it. */

/** Something that both sides have and that differs. */
type SideDifference = {
  /** Path of an option in a request, such as `tls.group`. */
  id: string;
  name: string;
  /** Values for a list of facts. */
  values: BySide<string>;
  /** Values as names of the sides. */
  names: BySide<string>;
};

/** Requested differences; negotiated ones may differ further. Empty for a null run. */
export function differencesOfSides(request: AskedSides): SideDifference[] {
  const sides = resolveSides(request);
  return [...transportDifference(sides), ...targetDifferences(sides), ...optionDifferences(sides)];
}

/**
 * `Key agreement group: X25519 → X25519MLKEM768`, one after another; null where what they speak is all, as their names say that. Of
 * sides that are equal in everything, that this is a noise check.
 */
export function differencesInWords(request: AskedSides): string | null {
  const differences = differencesOfSides(request);
  if (differences.length === 0) return 'Noise check: both sides are the same';
  if (differences.every(({ id }) => id === transportId)) return null;
  return differences
    .map(({ name, values }) => `${name}: ${joinValues(values.baseline, values.comparison)}`)
    .join('; ');
}

export function isNullRun(request: AskedSides): boolean {
  return differencesOfSides(request).length === 0;
}

/** Names of the sides, if transports do not distinguish them, or if they were named. Absent if transport labels are enough. */
function nameSides(request: AskedSides): Partial<BySide<string>> {
  const differences = differencesOfSides(request);
  const speaks = differences.filter(({ id }) => id === transportId);
  const others = differences.filter(({ id }) => id !== transportId);
  const named = sideNames.flatMap((side) => {
    const own = request.sides[side].name;
    if (own !== undefined) return [[side, own] as const];
    if (others.length === 0) return [];
    return [[side, nameOf([...others, ...speaks].map(({ names }) => names[side]))] as const];
  });
  return Object.fromEntries(named);
}

/** Both, as results know them. */
export function knownSidesOf(request: AskedSides): BySide<KnownSide> {
  const [sides, names] = [resolveSides(request), nameSides(request)];
  return bySide((side) => {
    return knownSide({ transport: sides[side].transport, name: names[side] });
  });
}

const transportId = 'transport';
const longestName = 40;

function nameOf(parts: readonly string[]): string {
  const whole = parts.join(', ');
  return whole.length <= longestName ? whole : (parts[0] ?? '').slice(0, longestName);
}

function transportDifference(sides: BySide<Side>): SideDifference[] {
  if (sides.baseline.transport === sides.comparison.transport) return [];
  const names = labelsOf(sides);
  const values = bySide((side) => transportFacts[sides[side].transport].name);
  return [{ id: transportId, name: 'Protocol', values, names }];
}

/** Another server, or another address for what both speak. */
function targetDifferences(sides: BySide<Side>): SideDifference[] {
  const servers = bySide((side) => {
    const { target } = sides[side];
    return target.kind === 'managed' ? serverTitles[target.server] : null;
  });
  const addresses = bySide((side) => {
    const { target, transport } = sides[side];
    return target.kind === 'origins' ? (target[schemeOf(transport)] ?? null) : null;
  });
  const spokenAlike =
    schemeOf(sides.baseline.transport) === schemeOf(sides.comparison.transport) ? addresses : null;
  return [
    ...differenceOf('target.server', 'Server', servers),
    ...(spokenAlike === null ? [] : differenceOf('target.origin', 'Address', spokenAlike)),
  ];
}

function differenceOf(id: string, name: string, values: BySide<string | null>): SideDifference[] {
  const { baseline, comparison } = values;
  if (baseline === null || comparison === null || baseline === comparison) return [];
  const both = { baseline, comparison };
  return [{ id, name, values: both, names: bySide((side) => both[side].replace(/^https?:\/\//, '')) }];
}

const placed: readonly PlacedOption[] = [
  ...placeOptions('tls', tlsOptions),
  ...placeOptions('target', serverOptions),
].filter(({ option }) => option.perSide === true);

function optionDifferences(sides: BySide<Side>): SideDifference[] {
  const encrypted = sideNames.every((side) => isEncrypted(sides[side].transport));
  return placed.flatMap((each) => {
    const { id, option } = each;
    if (option.ofTls === true && !encrypted) return [];
    if (!sideNames.every((side) => counts(sides[side], each))) return [];
    const [baseline, comparison] = sideNames.map((side) => valueIn(sides[side], each));
    if (baseline === undefined || comparison === undefined || baseline === comparison) return [];
    const of = { baseline, comparison };
    return [
      {
        id,
        name: option.label,
        values: bySide((side) => printOption(option, of[side])),
        names: bySide((side) => sideNameOf(option, of[side])),
      },
    ];
  });
}

/** Some count only beside another option. */
function counts(side: Side, placed: PlacedOption): boolean {
  const { option } = placed;
  return isCounting(option, valueIn(side, { ...placed, name: option.when?.option ?? '' }));
}

/** Targets of the two sides of a run: one or two. */

/** Name in lists and their filter: `storefront`, `nginx`, `nginx | node`, or its addresses. */
export function targetNameOf(request: AskedSides): string {
  const sides = resolveSides(request);
  const hasOwnAddress = sideNames.some((side) => request.sides[side].target?.origin !== undefined);
  const names = sideNames.map((side) => {
    const { target, transport } = sides[side];
    const address = target.kind === 'origins' ? target[schemeOf(transport)] : undefined;
    return hasOwnAddress && address !== undefined ? address : factsOf(target).name;
  });
  return [...new Set(names)].join(' | ');
}

/** Title of a run in lists. */
export function titleOfRun({ scenario, ...request }: AskedSides & { scenario: { name: string } }): string {
  return `${scenario.name} on ${targetNameOf(request)}`;
}

/** The same of its document. */
export function titleOfDocument(run: Pick<RunDocument, 'target' | 'asked' | 'scenario'>): string {
  return titleOfRun({ ...askedSidesOf(run), scenario: run.scenario });
}

/** `the demo shop`, `nginx and Node, started here`, or the origins of the two sides. */
export function targetsInSentence(run: Pick<RunDocument, 'target' | 'asked' | 'sides'>): string {
  const resolved = resolveSides(askedSidesOf(run));
  const [baseline, comparison] = sideNames.map((side) => resolved[side].target);
  if (baseline?.kind === 'managed' && comparison?.kind === 'managed' && baseline.server !== comparison.server)
    return `${serverTitles[baseline.server]} and ${serverTitles[comparison.server]}, started here`;
  const origins = bySide((side) => run.sides[side].origin);
  const known = [origins.baseline, origins.comparison].filter((origin) => origin !== null);
  return factsOf(run.target).title ?? [...new Set(known)].join(' and ');
}

/** The load that cost was read at, in words: on the page, in reports, and in Markdown. */

type Measured = Pick<RunDocument, 'sides' | 'fairness'>;

/** Sentences about the users, how their number was chosen, their turns, and how busy they kept each side. */
export function describeLoad(load: AtLoad, run?: Measured): string[] {
  const { users, ratePerS, burstMs, longerFor, chosen } = load;
  const turn = `${users === 1 ? 'It loads' : 'They load'} one side for ${printNumber(burstMs, 0)} ms, then the next, in random order.`;
  const busy = run === undefined ? null : busyCoresInWords(run);
  return [
    `${printUsers(users)}: ${choices[chosen]}.`,
    ...(longerFor === undefined
      ? [turn]
      : [turn, `Turns are longer than 20 ms because ${longer[longerFor]}.`]),
    ratePerS === null
      ? 'Each user starts its next transaction as soon as the last one ends.'
      : `Each side gets ${printNumber(ratePerS, 0)} transactions/s.`,
    ...(busy === null ? [] : [`Busy cores of the server: ${busy}.`]),
  ];
}

const choices: Record<LoadChoice, string> = {
  asked: 'the number that was asked for',
  fixed: 'a fixed number, because none is searched for on a permitted host, over a link, or with think times',
  known: 'the number that an earlier run of this question found on this machine',
  found: 'doubled until adding users no longer helped, then doubled once more',
  most_served: 'the largest number whose connections the server answers at the same time',
  last_tried: 'the largest number tried; more users would still have helped',
};

const longer: Record<LongerTurnReason, string> = {
  transactions: 'each user completes at least three transactions per turn',
  think_times: 'each user pauses between requests',
  generator_hosts: 'the hosts that generate the load answer late',
  readings: 'reading the CPU of the target takes long',
  ticks: 'the CPU of the target is known only in steps of 10 ms',
  settling: 'both sides share processes, which must be idle before the other side’s turn',
  quota: 'the target has a CPU quota, which counts in periods',
  programs: 'several programs work for a request, and each must wake up for the first requests of a turn',
};

/** `The load changed: 16 users instead of the 8 in use since 24 Nov.`; empty where it did not. */
export function changesOfLoad({ users, instead }: Pick<AtLoad, 'users' | 'instead'>): string[] {
  if (instead === undefined) return [];
  const since = printDayOfYear(instead.at);
  return [
    users === instead.users
      ? `The load changed: still ${printUsers(users)}, but the server uses a different number of cores than on ${since}.`
      : `The load changed: ${printUsers(users)} instead of the ${printNumber(instead.users, 0)} in use since ${since}.`,
  ];
}

/** `8 users`. */
export function printUsers(users: number): string {
  return users === 1 ? '1 user' : `${printNumber(users, 0)} users`;
}

/** `HTTP 0.97 cores, HTTPS 0.98`; null where the CPU of a side is not known. */
export function busyCoresInWords({ sides, fairness }: Measured): string | null {
  const labels = labelsOf(sides);
  const [baseline, comparison] = [fairness?.baseline, fairness?.comparison].map(
    (side) => side?.targetCpuPercent.maximum ?? null,
  );
  if (baseline == null || comparison == null) return null;
  const cores = (percent: number) => printNumber(percent / 100, 2);
  return `${labels.baseline} ${cores(baseline)} cores, ${labels.comparison} ${cores(comparison)}`;
}

/** The load at which a block was measured. */
export const pointInWords: Record<OperatingPoint, string> = {
  lockstep: 'with one user',
  maximum: 'at full load',
  steady: 'at half load',
};

/** `0.97 of 1 core`; `0.97 cores` where their number is not known. */
export function printCores(percentOfCore: number, cores: number | null): string {
  const used = printNumber(percentOfCore / 100, 2);
  if (cores === null) return `${used} cores`;
  return `${used} of ${printNumber(cores, 0)} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `At full load, 8 users`; `At 2,000 transactions/s, 8 users` where a permitted host allows no more. */
export function titleOfLoad(load: AtLoad | null): string {
  const title = capitalized(loadInWords(load));
  return load === null ? title : `${title}, ${printUsers(load.users)}`;
}

/** Servers started for a run: one for both sides, or another one for the baseline. */
type Started<Server> = { server: Server | null; baselineServer?: Server | undefined };

export function serversOfSides<Server>({ server, baselineServer }: Started<Server>): BySide<Server | null> {
  return { baseline: baselineServer ?? server, comparison: server };
}

/** Each once, the baseline's first. */
export function serversOf<Server>({ server, baselineServer }: Started<Server>): Server[] {
  return [baselineServer ?? null, server].filter((each) => each !== null);
}
