import { isCounting, printOption, valueIn } from '../../../shared/base/option.ts';
import { printNumber, printRange } from '../../../shared/base/quantity.ts';
import { labelsOf, sideNames } from '../../../shared/base/transport.ts';
import { describePlacement } from '../../../shared/kinds/comparison/at-load.ts';
import { linkInWords } from '../../../shared/kinds/comparison/link.ts';
import { otherOptions, planOptions } from '../../../shared/kinds/comparison/options.ts';
import type { SetupDifference } from '../../../shared/kinds/comparison/result-changes.ts';
import type { FairnessSide, RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { readerNames } from '../../../shared/target/readings.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { hasOpenLoad, negotiatedInFull, rateInWords } from '../../../shared/words/negotiated-words.ts';
import { differencesInWords, serversOf, targetsInSentence } from '../../../shared/words/side-words.ts';
import { environmentFacts } from '../define-kind.ts';

type Sent = Pick<RunDocument, 'scenario' | 'revisionId'>;

/** Whether two runs sent the same: its name, its steps, and where those are alike all that a request has. */
export function scenarioDifferences(from: Sent, to: Sent): SetupDifference[] {
  const names = difference('Scenario', from.scenario.name, to.scenario.name);
  const steps = difference('Steps', stepsInWords(from.scenario), stepsInWords(to.scenario));
  if (steps.length > 0 || contentOf(from.scenario) === contentOf(to.scenario)) return [...names, ...steps];
  const requests = { name: 'Requests', from: revisionInWords(from), to: revisionInWords(to) };
  return [...names, requests.from === requests.to ? { ...requests, to: otherwise } : requests];
}

const otherwise = 'other headers, bodies, checks, pauses or data';
const mostSteps = 6;

function difference(name: string, from: string, to: string): SetupDifference[] {
  return from === to ? [] : [{ name, from, to }];
}

function stepsInWords({ steps }: Scenario): string {
  const shown = steps.slice(0, mostSteps).map(({ method, path }) => `${method} ${path}`);
  const more = steps.length - shown.length;
  return [...shown, ...(more > 0 ? [`${printNumber(more, 0)} more`] : [])].join(', ');
}

function revisionInWords({ revisionId }: Sent): string {
  return revisionId === null ? 'not stored' : `revision ${revisionId}`;
}

/** The content that is sent and checked. Names mean nothing to a server, and pages are for the browser. */
export function contentOf({ steps, cookies, data }: Scenario): string {
  return JSON.stringify([steps.map(({ name, recorded, ...step }) => step), cookies, data]);
}

/** Something that was set up for a run. Of an amount, so small a share is no difference. */
type Fact = { name: string; value: string; amount?: { is: number; within: number } };

/**
 * Differences in the set-up of two runs, from what was loaded to where. If only one of them can have a fact,
 * such as the version of a server that was started, a fact that both have covers it: here, the target.
 */
export function setupDifferences(from: RunDocument, to: RunDocument): SetupDifference[] {
  const others = setupOf(to);
  const differences = setupOf(from).flatMap((fact) => {
    const other = others.find(({ name }) => name === fact.name);
    return other === undefined || isSame(fact, other)
      ? []
      : [{ name: fact.name, from: fact.value, to: other.value }];
  });
  return [...differences, ...scenarioDifferences(from, to)].sort(
    (one, other) => placeOf(one) - placeOf(other),
  );
}

function isSame(one: Fact, other: Fact): boolean {
  if (one.amount === undefined || other.amount === undefined) return one.value === other.value;
  const [less, more] = [one.amount.is, other.amount.is].sort((a, b) => a - b) as [number, number];
  return more <= less * (1 + one.amount.within);
}

/** Puts the sides and the target first, then the scenario. */
function placeOf({ name }: SetupDifference): number {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
}

const first = [
  ...['Sides', 'The sides differ by', 'Target', 'Server', 'TLS library', 'Target options'],
  ...['Scenario', 'Steps', 'Requests'],
];

function setupOf(run: RunDocument): Fact[] {
  return [...targetFacts(run), ...planFacts(run), ...answerFacts(run), ...machineFacts(run)];
}

function targetFacts(run: RunDocument): Fact[] {
  const { sides, target } = run;
  const { baseline, comparison } = labelsOf(sides);
  const servers = serversOf(run);
  // Addresses are in the name of the target, and ports of what is started here are new each time.
  const options = factsOf(target).options.filter((option) => !/^--(target|https?) /.test(option));
  return [
    { name: 'Sides', value: `${baseline} and ${comparison}` },
    { name: 'The sides differ by', value: differencesInWords(askedSidesOf(run)) ?? 'what they speak' },
    { name: 'Target', value: targetsInSentence(run) },
    { name: 'Target options', value: options.join(' ') || 'none' },
    ...(servers.length === 0
      ? []
      : [
          { name: 'Server', value: each(servers.map(({ title, version }) => `${title} ${version}`)) },
          { name: 'TLS library', value: each(servers.map(({ tlsLibrary }) => tlsLibrary ?? 'not readable')) },
        ]),
  ];
}

/** `a`, or `a and b` where the sides have different ones. */
export function each(values: readonly string[]): string {
  return [...new Set(values)].join(' and ');
}

/** Requested values, or planned values if those are more than was requested. */
function planFacts(run: RunDocument): Fact[] {
  const request = { ...run.asked, ...run.plan };
  const worked = workedOut(run);
  return asked.flatMap((placed) => {
    const { part, name, option } = placed;
    if (part === null && name in worked) return worked[name] ?? [];
    const other = valueIn(request, { ...placed, name: option.when?.option ?? '' });
    return isCounting(option, other)
      ? { name: option.label, value: printOption(option, valueIn(request, placed)) }
      : [];
  });
}

/** Options of the run. Server options are listed with the target. */
const asked = [...planOptions, ...otherOptions].filter(({ part }) => part !== 'target');

/** By the options that they were worked out from. A seed is chance. */
function workedOut({ plan, link, atLoad }: RunDocument): Partial<Record<string, Fact | null>> {
  const amount =
    hasOpenLoad(plan) && plan.ratePerS !== null ? { amount: { is: plan.ratePerS, within: 0.1 } } : {};
  return {
    seed: null,
    users: { name: 'Users', value: usersInWords(atLoad?.users ?? plan.users) },
    findLoad: null,
    link: { name: 'Link', value: link === undefined ? 'none' : linkInWords(link) },
    ratePerS: { name: 'Rate offered to both sides', value: rateInWords(plan), ...amount },
    thinkTimeScale: { name: 'Think time', value: `${printNumber(plan.thinkMs, 0)} ms in a transaction` },
    generators: { name: 'Load generators', value: printNumber(plan.generators, 0) },
    generatorHosts: { name: 'Generator hosts', value: printNumber(plan.generatorHosts ?? 0, 0) },
    generatorPods: { name: 'Generator pods', value: printNumber(plan.generatorPods ?? 0, 0) },
    launches: { name: 'Starts planned', value: printRange(plan.launches) },
  };
}

function usersInWords(users: number | null): string {
  return users === null ? 'not found' : printNumber(users, 0);
}

/** Facts about the answers of the sides. */
function answerFacts({ tls, fairness }: RunDocument): Fact[] {
  const negotiated = sideNames.flatMap((side) => tls[side].negotiated ?? []).map(negotiatedInFull);
  const ofSides = (read: (side: FairnessSide) => string) => {
    if (fairness === null) return 'not known';
    const [one, other] = [read(fairness.baseline), read(fairness.comparison)];
    return one === other ? one : `${one} and ${other}`;
  };
  const bytes = fairness?.comparison.bodyBytesPerTransaction ?? null;
  return [
    { name: 'Negotiated TLS', value: each(negotiated) || 'none' },
    { name: 'HTTP version', value: ofSides(({ httpVersion }) => httpVersion) },
    { name: 'Content encoding', value: ofSides(({ contentEncoding }) => contentEncoding || 'none') },
    ...(bytes === null
      ? []
      : [
          {
            name: 'Body of a transaction',
            value: `${printNumber(bytes, 0)} bytes`,
            amount: { is: bytes, within: 0.01 },
          },
        ]),
  ];
}

function machineFacts({ environment, placement, readings }: RunDocument): Fact[] {
  const { memoryBytes, sharedMachine } = environment;
  return [
    ...environmentFacts(environment),
    {
      name: 'Memory',
      value: `${printNumber(memoryBytes / 1e9, 1)} GB`,
      amount: { is: memoryBytes, within: 0.02 },
    },
    { name: 'Placement', value: describePlacement(placement) },
    {
      name: 'CPU read by',
      value: readings === undefined ? 'TLS Toll' : `the ${readerNames[readings.by]} at ${readings.at}`,
    },
    {
      name: 'Generator and target',
      value: sharedMachine ? 'on one machine' : 'on different machines',
    },
  ];
}
