import { isSame, printOption, valueIn } from '../../../shared/base/option.ts';
import { printNumber, printRange } from '../../../shared/base/quantity.ts';
import { isEncrypted, labelsOf, sideNames } from '../../../shared/base/transport.ts';
import type { AtLoad } from '../../../shared/kinds/comparison/at-load.ts';
import {
  addedInWords,
  carriedInWords,
  describePath,
  linkInWords,
} from '../../../shared/kinds/comparison/link.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { Launch, ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf, resolveSides } from '../../../shared/kinds/comparison/run-request.ts';
import { describeReadings } from '../../../shared/target/readings.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import {
  connectionsInWords,
  hostsInWords,
  rateInWords,
  tlsInWords,
} from '../../../shared/words/negotiated-words.ts';
import { describeLoad, printUsers } from '../../../shared/words/side-words.ts';
import type { Fact } from '../../components/card.tsx';
import { AppLink } from '../../components/links.tsx';
import { printCount, printDuration, printPercent } from '../../format/printed-figures.ts';

export function planFacts(document: ShownRun): Fact[] {
  const { plan, scenario, revisionId, link, path, sides, hosts, readings } = document;
  const share = plan.generatorHosts === undefined ? 'share the load' : 'on each host share the load';
  return [
    { name: 'Transaction', value: scenario.steps.map(({ name }) => name).join(', then ') },
    {
      name: 'Scenario',
      value: revisionId && <AppLink to={`/s/${revisionId}`}>{scenario.name}, as sent</AppLink>,
    },
    { name: 'Rate offered to both sides', value: rateInWords(plan) },
    { name: 'Connections', value: connectionsInWords(plan) },
    ...tlsFacts(document),
    ...(link === undefined ? [] : linkFacts(link)),
    { name: 'Path', value: path === undefined ? null : describePath(path, sides) },
    ...otherFacts(document),
    {
      name: 'Think time',
      value: plan.thinkMs === 0 ? null : `${printNumber(plan.thinkMs, 0)} ms in a transaction`,
    },
    { name: 'Load from', value: hosts === undefined ? null : hostsInWords(hosts) },
    { name: 'Load generator', value: plan.generators === 1 ? null : `${plan.generators} processes ${share}` },
    ...methodFacts(document),
    { name: 'CPU readings', value: readings === undefined ? null : describeReadings(readings) },
    { name: 'Seed', value: <code>{plan.seed}</code> },
  ];
}

function linkFacts(link: NonNullable<ShownRun['link']>): Fact[] {
  return [
    { name: 'Link', value: linkInWords(link) },
    { name: 'Added by the link', value: link.added === null ? 'not measured' : addedInWords(link.added) },
    { name: 'Carried by', value: link.by === undefined ? null : carriedInWords(link.by) },
  ];
}

/** Requested TLS options, of each side if they differ; none without TLS. */
function tlsFacts(document: ShownRun): Fact[] {
  const sides = resolveSides(askedSidesOf(document));
  const labels = labelsOf(document.sides);
  const facts = sideNames
    .filter((side) => isEncrypted(sides[side].transport))
    .map((side) => ({ name: `Requested TLS, ${labels[side]}`, value: tlsInWords(sides[side].tls) }));
  const isOne = new Set(facts.map(({ value }) => value)).size === 1;
  return isOne ? facts.slice(0, 1).map(({ value }) => ({ name: 'Requested TLS', value })) : facts;
}

/** Options whose facts have wording of their own. */
const toldApart = [
  ...['seed', 'length', 'users', 'findLoad', 'connectionPolicy', 'requestsPerConnection', 'link', 'ratePerS'],
  ...['generators', 'generatorHosts', 'generatorPods', 'thinkTimeScale'],
  ...['launches', 'tolerance', 'pairUsers', 'windowMs'],
  ...['tls.version', 'tls.cipher', 'tls.group', 'tls.resumption', 'tls.resumedShare', 'tls.verify'],
  'tls.certificateCompression',
];

/** Other options that are not the default. */
function otherFacts({ asked }: ShownRun): Fact[] {
  return comparisonOptions.flatMap((placed) => {
    const { id, part, option } = placed;
    const value = valueIn(asked, placed);
    if (part === 'target' || toldApart.includes(id) || value === undefined || isSame(value, option.default))
      return [];
    return { name: option.label, value: printOption(option, value) };
  });
}

/** Facts of a plan about the method. */

function methodFacts({ plan, launches, target, atLoad }: ShownRun): Fact[] {
  const parts = [
    `${printSeconds(plan.lockstepMs)} with ${plan.pairUsers === 1 ? 'one user' : printCount(plan.pairUsers, 'user')}`,
    `${printSeconds(plan.maximumMs)} at full load`,
    ...(plan.openMs === null ? [] : [`${printSeconds(plan.openMs)} per side at half load`]),
  ];
  return [
    {
      name: 'Starts',
      value: factsOf(target).startedHere
        ? `${printRange(plan.launches)} planned, ${launches.length} measured`
        : 'running, not started by us',
    },
    { name: 'Repetitions per start', value: printRange(plan.epochs) },
    { name: 'One repetition', value: parts.join(', ') },
    {
      name: 'One user',
      value: `a reading every ${plan.windowMs} ms, sides in random order for each transaction`,
    },
    // “Fairness” has it on paper.
    { name: 'Full load', value: loadOf(atLoad ?? null, plan), screenOnly: true },
    { name: 'Tolerance', value: printPercent(plan.tolerance) },
    {
      name: 'Warm-up',
      value: warmUpPlan(plan.warmUp),
    },
    {
      name: 'Result of the warm-up',
      value: launches.length === 0 ? null : <WarmUps launches={launches} />,
      screenOnly: true,
    },
    { name: 'Longest', value: printDuration(plan.longestS) },
  ];
}

/** `1,000 transactions per side, 6 s at most`. */
function warmUpPlan({ transactions, longestMs }: Plan['warmUp']): string {
  const until =
    transactions === null
      ? 'until CPU per transaction settles'
      : `${printCount(transactions, 'transaction')} per side`;
  return `${until}, ${printSeconds(longestMs)} at most`;
}

/** The load that was found; before that, the requested number of users. */
function loadOf(load: AtLoad | null, { users }: Plan): string | null {
  if (load !== null) return describeLoad(load).join(' ');
  return users === null ? null : printUsers(users);
}

function WarmUps({ launches }: { launches: readonly Launch[] }) {
  return launches.map(({ index, warmUp }) => (
    <div key={index}>
      {launches.length < 2 ? '' : `Start ${index + 1}: `}
      {warmUpInWords(warmUp)}
    </div>
  ));
}

/** `3,200 requests per side in 2.1 s`. */
function warmUpInWords({ requests, ms }: Launch['warmUp']): string {
  return `${printCount(requests, 'request')} per side in ${printSeconds(ms)}`;
}

/** `2 s`, `0.6 s`. */
function printSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
