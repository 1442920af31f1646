import { exportFaults } from '../../../../shared/export-faults.ts';
import { problem } from '../../../../shared/problem.ts';
import type { RunRequest } from '../../../../shared/run-request.ts';
import type { Scenario } from '../../../../shared/scenario.ts';
import { transportFacts } from '../../../../shared/transport.ts';

type Asked = Pick<RunRequest, 'engine' | 'transports' | 'tls' | 'connectionPolicy' | 'ratePerS' | 'rampMs'>;

/** Refuses by name what k6 cannot do, every point at the field `engine`. Throws invalid_request. */
export function demandEngine(asked: Asked, scenario: Pick<Scenario, 'steps'>): void {
  if (asked.engine !== 'k6') return;
  const refusals = [...refusalsOf(asked), ...exportFaults(scenario, 'k6')];
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
