import { defaultPorts, type Scheme } from '../base/transport.ts';

/** Error in the address of one side as typed, in a sentence; null if it is an origin of that scheme. */
export function addressProblem(text: string, scheme: Scheme): string | null {
  const name = scheme.toUpperCase();
  const example = `${scheme}://127.0.0.1:${examplePorts[scheme]}`;
  if (text === '') return `Give the ${name} address, such as ${example}.`;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `Begin the address with ${scheme}://, as in ${example}.`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '') return `This is not an address. Write it as ${example}.`;
  if (url.protocol !== `${scheme}:`) {
    return `This address starts with ${url.protocol}//. That of the ${name} side starts with ${scheme}://.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'Leave the user name and password out of the address.';
  }
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (path !== '/') return `End the address after the port, and give ${path} as the path.`;
  return url.port === '0' ? 'Nothing can listen on port 0. Correct the port.' : null;
}

const examplePorts: Record<Scheme, number> = { http: 8080, https: 8443 };

/** Ports that usually belong together. */
const usualPairs = [
  { http: defaultPorts.http, https: defaultPorts.https },
  { http: examplePorts.http, https: examplePorts.https },
] as const;

/** Usual address of the other side; null if it cannot be guessed. */
export function guessOther(address: string, scheme: Scheme): string | null {
  if (addressProblem(address, scheme) !== null) return null;
  const url = new URL(address);
  const port = url.port === '' ? defaultPorts[scheme] : Number(url.port);
  const pair = usualPairs.find((each) => each[scheme] === port);
  if (pair === undefined) return null;
  const other = scheme === 'http' ? 'https' : 'http';
  const suffix = pair[other] === defaultPorts[other] ? '' : `:${pair[other]}`;
  return `${other}://${url.hostname}${suffix}`;
}

/** Checks of a Prometheus exporter's settings, for a form before it is sent. */

/** Metrics that are meant where none is named. */
export const usualMetrics = {
  cpu: 'process_cpu_seconds_total',
  memory: 'process_resident_memory_bytes',
} as const;

/** Error in the address of an exporter, in a sentence; null if there is none. */
export function exporterProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'Give the whole address of the metrics, such as http://10.1.0.5:9256/metrics.';
  }
  if (url.username !== '' || url.password !== '') return 'Leave name and password out of the address.';
  return null;
}
