import { exportFaults } from '../../../../shared/export-faults.ts';
import type { Permit } from '../../../../shared/permitted-target.ts';
import { problem } from '../../../../shared/problem.ts';
import type { RunRequest } from '../../../../shared/run-request.ts';
import type { Scenario } from '../../../../shared/scenario.ts';
import { transportFacts } from '../../../../shared/transport.ts';
import { secretsOf } from '../../../scenario/secrets.ts';

type Asked = Pick<
  RunRequest,
  'engine' | 'transports' | 'tls' | 'connectionPolicy' | 'ratePerS' | 'rampMs' | 'link'
>;

/** Refuses by name what k6 cannot do, every point at the field `engine`. Throws invalid_request. */
export function demandEngine(asked: Asked, scenario: Scenario): void {
  if (asked.engine === undefined) return;
  refuse([
    ...refusalsOf(asked),
    ...exportFaults(scenario, 'k6'),
    ...(asked.engine === 'k6-operator' ? refusalsInCluster(asked, scenario) : []),
  ]);
}

/** The same of where k6 may go. Throws invalid_request. */
export function demandWayOfEngine({ engine }: Pick<RunRequest, 'engine'>, permit: Permit | null): void {
  if (engine === 'k6' && permit !== null) {
    refuse([`k6 on this machine does not keep to the limits of another host such as ${permit.host}.`]);
  }
  if (engine === 'k6-operator' && permit === null) {
    refuse([
      'Pods of k6 cannot reach the loopback addresses of this machine. Measure a target on another host.',
    ]);
  }
}

function refuse(refusals: readonly string[]): void {
  if (refusals.length === 0) return;
  throw problem('invalid_request', {
    detail: refusals.join(' '),
    errors: refusals.map((message) => ({ field: 'engine', message })),
  });
}

function refusalsOf({ transports, tls, connectionPolicy, ratePerS, rampMs }: Asked): string[] {
  const overHttp2 = transports.some((transport) => transportFacts[transport].httpVersion === '2');
  return [
    ...(overHttp2 ? ['k6 measures HTTP/1.1 only, not HTTP/2.'] : []),
    ...(tls.resumption === 'none' ? [] : ['k6 cannot resume TLS sessions.']),
    ...(tls.group === null ? [] : ['k6 cannot choose a key agreement group.']),
    ...(tls.cipher === null ? [] : ['k6 cannot choose a cipher suite.']),
    ...(connectionPolicy === 'requests-per-connection'
      ? ['k6 cannot close a connection after a number of requests.']
      : []),
    ...(ratePerS === null ? [] : ['k6 does not measure open load, so it takes no rate.']),
    ...(rampMs === 0 ? [] : ['k6 does not measure open load, so it takes no ramp-up.']),
  ];
}

function refusalsInCluster({ link }: Asked, scenario: Scenario): string[] {
  const secrets = secretsOf(scenario);
  return [
    ...(link === undefined ? [] : ['Pods of k6 go straight to the target, so they take no link.']),
    ...(secrets.length === 0
      ? []
      : [
          `Pods of k6 get no values of secrets (${secrets.join(', ')}), because Kubernetes would store them with the script.`,
        ]),
  ];
}
