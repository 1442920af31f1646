import { valueIn } from '../../../../shared/base/option.ts';
import { isSame } from '../../../../shared/base/option-flag.ts';
import { printOption } from '../../../../shared/base/option-text.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { isEncrypted, labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import { addedInWords, carriedInWords, linkInWords } from '../../../../shared/kinds/comparison/link.ts';
import { comparisonOptions } from '../../../../shared/kinds/comparison/options.ts';
import { describePath } from '../../../../shared/kinds/comparison/path.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { askedSidesOf, resolveSides } from '../../../../shared/kinds/comparison/side.ts';
import { describeReadings } from '../../../../shared/target/remote-readings.ts';
import { hostsInWords } from '../../../../shared/words/host-words.ts';
import { connectionsInWords, rateInWords, tlsInWords } from '../../../../shared/words/plan-words.ts';
import { AppLink } from '../../../components/app-link.tsx';
import type { Fact } from '../../../components/facts.tsx';
import { methodFacts } from './method-facts.tsx';

export function planFacts(document: ShownRun): Fact[] {
  const { plan, scenario, revisionId, link, path, sides, hosts, launches, readings } = document;
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
    ...methodFacts(plan, launches, document.atLoad ?? null),
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

/** What was asked of TLS, of each side where they differ; nothing without TLS. */
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
];

/** What else was asked for, where it is not the default. */
function otherFacts({ asked }: ShownRun): Fact[] {
  return comparisonOptions.flatMap((placed) => {
    const { id, part, option } = placed;
    const value = valueIn(asked, placed);
    if (part === 'target' || toldApart.includes(id) || value === undefined || isSame(value, option.default))
      return [];
    return { name: option.label, value: printOption(option, value) };
  });
}
