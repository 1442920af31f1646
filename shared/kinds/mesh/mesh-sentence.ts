import { capitalized } from '../../base/capitalized.ts';
import { estimateDecimals, printAdded, printNumber } from '../../base/quantity.ts';
import { serverTitles } from '../../words/target-words.ts';
import { loadInWords } from '../comparison/at-load.ts';
import type { Estimate } from '../comparison/comparison.ts';
import type { MeshArm, MeshDocument, MeshRequest, MeshRole, MeshShift } from './mesh.ts';
import { meshTable } from './options.ts';

/** What was found, in sentences: the same on the page, in Markdown and in a terminal. */

type Asked = Pick<MeshRequest, 'proxy' | 'clientProxy' | 'mutual' | 'address' | 'application'>;

/** `HAProxy`, `Two Envoy proxies with mutual TLS`. */
export function proxiesInWords({
  proxy,
  clientProxy,
  mutual,
}: Omit<Asked, 'address' | 'application'>): string {
  const name = meshTable.proxy.labels[proxy];
  return `${clientProxy ? `Two ${name} proxies` : name}${mutual ? ' with mutual TLS' : ''}`;
}

export function applicationName({ address, application }: Pick<Asked, 'address' | 'application'>): string {
  return address ?? serverTitles[application];
}

export function armTitle(
  arm: MeshArm,
  { mutual, clientProxy }: Pick<Asked, 'mutual' | 'clientProxy'>,
): string {
  const proxy = clientProxy ? 'Proxies' : 'Proxy';
  const titles: Record<MeshArm, string> = {
    direct: 'Direct',
    plain: `${proxy} without TLS`,
    secure: `${proxy} with ${mutual ? 'mutual TLS' : 'TLS'}`,
    twin: 'Direct again',
  };
  return titles[arm];
}

export const roleTitles: Record<MeshRole, string> = {
  application: 'Application',
  proxy: 'Proxy',
  clientProxy: 'Client’s proxy',
};

type Found = Pick<MeshDocument, 'arms' | 'cpu' | 'latency' | 'load' | 'request'>;

/** The first is the headline. Empty until there are intervals. */
export function meshSentences({ arms, cpu, latency, load, request }: Found): string[] {
  const { proxy, tls, twin } = cpu;
  if (proxy === null || tls === null || twin === null) return [];
  const [who, cost, inThem] = request.clientProxy
    ? ['The proxies', 'cost', 'in them']
    : ['The proxy', 'costs', 'in it'];
  const what = request.mutual ? 'mutual TLS' : 'TLS';
  const direct = arms.find(({ arm }) => arm === 'direct')?.cpuUs ?? null;
  const beside = direct === null ? '' : ` of the ${printUs(direct.center)} that a direct request takes`;
  return [
    `${who} ${cost} ${atMost(proxy)} of CPU a request; ${what} ${inThem} costs ${atMost(tls)}`,
    `Measured ${loadInWords(load)}, 95 % CI. ${who}: ${printShift(proxy)}${beside}. ${capitalized(what)}: ${printShift(tls)}.`,
    ...(latency.proxy === null || latency.tls === null
      ? []
      : [
          `A lone request takes ${printLonger(latency.proxy.us)} longer through ${who.toLowerCase()}, and ${printLonger(latency.tls.us)} longer with ${what}.`,
        ]),
    `Null check: the direct path measured again differs by ${printShift(twin)}.`,
  ];
}

/** Of what is certainly longer, without signs. */
function printLonger(us: Estimate): string {
  const text = printUsInterval(us);
  return us.lo > 0 ? text.replaceAll('+', '') : text;
}

/** No more than the interval says. */
function atMost({ us }: MeshShift): string {
  return us.lo <= 0 && us.hi >= 0 ? 'no measurable time' : printUs(us.center);
}

/** `+41.2 to +43.0 µs, +160 to +166 %`. */
function printShift({ us, percent }: MeshShift): string {
  return `${printUsInterval(us)}, ${printPercentInterval(percent)}`;
}

export function printPercentInterval(percent: Estimate): string {
  const decimals = estimateDecimals(percent);
  return `${printAdded(percent.lo, decimals)} to ${printAdded(percent.hi, decimals)} %`;
}

export function printUsInterval(us: Estimate): string {
  const decimals = Math.min(2, estimateDecimals(us));
  return `${printAdded(us.lo, decimals)} to ${printAdded(us.hi, decimals)} µs`;
}

function printUs(us: number): string {
  return `${printNumber(us, Math.abs(us) < 10 ? 1 : 0)} µs`;
}
