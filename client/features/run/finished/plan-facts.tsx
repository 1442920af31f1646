import { Link } from 'react-router';
import { printNumber } from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import type { TlsProfile } from '../../../../shared/tls-profile.ts';
import type { Fact } from '../../../components/facts.tsx';
import { printDuration } from '../../../format/duration.ts';

const policyWords = {
  'keep-alive': 'kept over the whole slot',
  'connection-per-transaction': 'a new one for each transaction',
  'connection-per-request': 'a new one for each request',
  'requests-per-connection': 'a new one after so many requests',
};

function policyOf({ connectionPolicy, requestsPerConnection }: RunDocument['plan']): string {
  return connectionPolicy === 'requests-per-connection'
    ? `a new one after ${printNumber(requestsPerConnection, 0)} requests`
    : policyWords[connectionPolicy];
}

function tlsInWords({ version, resumption, resumedShare, cipher, group, verify }: TlsProfile): string {
  const resumes = {
    none: 'no resumption',
    tickets: 'resumption by tickets',
    mix: `${printNumber(resumedShare * 100, 0)} % of the new connections resume`,
  };
  return [
    version.replace('v', ' '),
    resumes[resumption],
    ...(cipher === null ? [] : [cipher]),
    ...(group === null ? [] : [group]),
    ...(verify ? [] : ['certificate not checked']),
  ].join(', ');
}

/** What was planned for a run, and asked of it. */
export function planFacts({ plan, scenario, revisionId, tlsProfile, blocks }: RunDocument): Fact[] {
  const { steady, maximum } = plan.slots;
  const rate = plan.ratePerS;
  return [
    { name: 'Transaction', value: scenario.steps.map(({ name }) => name).join(', then ') },
    ...(revisionId === null
      ? []
      : [{ name: 'Scenario', value: <Link to={`/s/${revisionId}`}>{scenario.name}, as it was sent</Link> }]),
    {
      name: 'Rate offered to both sides',
      value: rate === null ? 'not settled' : `${printNumber(rate, rate < 100 ? 1 : 0)} transactions/s`,
    },
    { name: 'Connections a side', value: `${plan.connections}, ${policyOf(plan)}` },
    { name: 'TLS asked for', value: tlsInWords(tlsProfile) },
    ...(plan.rampMs === 0
      ? []
      : [{ name: 'Ramp', value: `${printNumber(plan.rampMs, 0)} ms at the start of each steady slot` }]),
    ...(plan.thinkMs === 0
      ? []
      : [{ name: 'Think time', value: `${printNumber(plan.thinkMs, 0)} ms in a transaction` }]),
    ...(plan.generators === 1
      ? []
      : [{ name: 'Load generator', value: `${plan.generators} processes that share the load` }]),
    {
      name: 'Slots',
      value: `${printNumber(steady.durationMs, 0)} ms steady, ${printNumber(maximum.durationMs, 0)} ms at the maximum, ${plan.idleMs} ms of rest between`,
    },
    {
      name: 'Blocks planned at each point',
      value:
        plan.blocksPerPoint.minimum === plan.blocksPerPoint.maximum
          ? plan.blocksPerPoint.minimum
          : `${plan.blocksPerPoint.minimum} to ${plan.blocksPerPoint.maximum}`,
    },
    { name: 'Order of the slots', value: blocks.length === 0 ? 'none measured' : <Orders blocks={blocks} /> },
    {
      name: 'Warm-up',
      value: `${printDuration(plan.warmUp.minimumMs / 1000)} to ${printDuration(plan.warmUp.maximumMs / 1000)}`,
    },
    { name: 'Seed', value: <code>{plan.seed}</code> },
  ];
}

function Orders({ blocks }: { blocks: RunDocument['blocks'] }) {
  const few = blocks.slice(0, 6).map(({ order }) => order);
  return (
    <>
      <code>{few.join(' ')}</code>
      {blocks.length > few.length ? ' …' : ''} (A the first side, B the second, N the twin of A)
    </>
  );
}
