import { Link } from 'react-router';
import type { StoredPlan } from '../../../../shared/load-profile.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import type { TlsProfile } from '../../../../shared/tls-profile.ts';
import type { Fact } from '../../../components/facts.tsx';
import { blocksFacts, lockstepFacts } from './method-facts.tsx';

const policyWords = {
  'keep-alive': 'kept open',
  'connection-per-transaction': 'a new one for each transaction',
  'connection-per-request': 'a new one for each request',
  'requests-per-connection': 'a new one after a fixed number of requests',
};

function policyOf({ connectionPolicy, requestsPerConnection }: StoredPlan): string {
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
export function planFacts(document: RunDocument): Fact[] {
  const { plan, scenario, revisionId, tlsProfile } = document;
  return [
    { name: 'Transaction', value: scenario.steps.map(({ name }) => name).join(', then ') },
    ...(revisionId === null
      ? []
      : [{ name: 'Scenario', value: <Link to={`/s/${revisionId}`}>{scenario.name}, as sent</Link> }]),
    { name: 'Rate offered to both sides', value: rateInWords(plan) },
    { name: 'Connections per side', value: `${plan.connections}, ${policyOf(plan)}` },
    { name: 'Requested TLS', value: tlsInWords(tlsProfile) },
    ...(plan.rampMs === 0
      ? []
      : [{ name: 'Ramp-up', value: `${printNumber(plan.rampMs, 0)} ms at the start of each steady slot` }]),
    ...(plan.thinkMs === 0
      ? []
      : [{ name: 'Think time', value: `${printNumber(plan.thinkMs, 0)} ms in a transaction` }]),
    ...(plan.generators === 1
      ? []
      : [{ name: 'Load generator', value: `${plan.generators} processes that share the load` }]),
    ...(plan.method === 'lockstep'
      ? lockstepFacts(plan, document.launches)
      : blocksFacts(plan, document.blocks)),
    { name: 'Seed', value: <code>{plan.seed}</code> },
  ];
}

function rateInWords(plan: StoredPlan): string {
  if (plan.method === 'lockstep' && plan.openMs === null) return 'no open load';
  const rate = plan.ratePerS;
  return rate === null ? 'not settled' : `${printNumber(rate, rate < 100 ? 1 : 0)} transactions/s`;
}
