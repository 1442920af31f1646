import { quoted } from '../../../shared/base/option.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { alignColumns, printLines } from '../../base/text/terminal.ts';
import { compareArguments } from '../../method/tool-line.ts';
import type { ToolCounts, ToolVerdict } from '../../method/tool-verdict.ts';

type Inspected = {
  counts: ToolCounts & { ended: string | null; alone: boolean };
  verdict: ToolVerdict;
  /** The program's name. */
  tool: string;
  target: URL | null;
};

/** Prints what a tool did, and what its figure means, for a terminal. Ends with a line feed. */
export function printInspection(inspected: Inspected): string {
  const { counts, tool } = inspected;
  if (counts.requests === 0) return printLines([...listReach(inspected), ...nothingSaid(inspected)]);
  const perSecond = counts.requests / counts.seconds;
  return printLines([
    `${tool} sent ${whole(counts.requests)} requests in ${counts.seconds.toFixed(1)} s, ${whole(perSecond)} per second.`,
    '',
    ...alignColumns(listToolFacts(inspected), 'l'),
    '',
    'What its figure means',
    ...meaningOf(inspected).map((line) => `  ${line}`),
    '',
    'To compare both sides under the same load:',
    `  npx tls-toll compare ${compareArguments(inspected).map(quoted).join(' ')}`,
    ...listReach(inspected),
  ]);
}

function nothingSaid({ counts, tool, target }: Inspected): string[] {
  const { connections, failedHandshakes, ended } = counts;
  const [failed] = [...failedHandshakes].sort((one, other) => other.connections - one.connections);
  if (failed !== undefined) {
    return [failures[failed.reason](tool, `${whole(failed.connections)} of ${whole(connections)}`)];
  }
  const how = ended === null ? 'was ended by --limit' : `ended (${ended})`;
  if (connections > 0) {
    const on = connections === 1 ? 'its connection' : `any of its ${whole(connections)} connections`;
    return [`${tool} ${how} and sent no request on ${on}. ${distrust}`];
  }
  const next =
    target === null
      ? 'Give it its URL as an argument, or let it read TLS_TOLL_URL.'
      : 'Its own messages are above.';
  return [`${tool} ${how} before it connected to the listener. ${next}`];
}

/** A tool checks the certificate during the handshake or once it is over. */
const distrust =
  'If it does not trust the certificate, turn off its certificate verification, or let it trust NODE_EXTRA_CA_CERTS.';

/** Advice for a tool that sent no request, by the reason why most of its handshakes failed. */
const failures: Record<
  ToolCounts['failedHandshakes'][number]['reason'],
  (tool: string, which: string) => string
> = {
  certificate: (tool, which) =>
    `${tool} gave up ${which} handshakes and sent no request. Turn off its certificate verification, or let it trust NODE_EXTRA_CA_CERTS.`,
  version: (tool, which) => `${which} handshakes failed, because ${tool} offers neither TLS 1.3 nor TLS 1.2.`,
  suite: (tool, which) =>
    `${which} handshakes failed, because ${tool} offers no cipher suite that the listener accepts.`,
  plain: (tool, which) =>
    `${tool} spoke no TLS on ${which} connections. Give it a URL that begins with https://.`,
  closed: (tool, which) =>
    `${tool} closed ${which} connections during the handshake and sent no request. ${distrust}`,
};

function listToolFacts({ counts, verdict, tool }: Inspected): string[][] {
  const { connections, openAtOnce, resumed, agreed, requests, http10Requests, http2Requests, cores } = counts;
  const http11Requests = requests - http10Requests - http2Requests;
  const versions = [
    ...(http10Requests > 0 ? ['1.0'] : []),
    ...(http11Requests > 0 ? ['1.1'] : []),
    ...(http2Requests > 0 ? ['2'] : []),
  ].join(' and ');
  return [
    ['Connections', `${whole(connections)}, at most ${whole(openAtOnce)} at once`],
    ...agreed.slice(0, 4).map((each) => ['TLS', agreedLine(each)]),
    ...(counts.groups.length === 0 ? [] : [['Group', counts.groups.join(', ')]]),
    ...(verdict.resumedShare === null
      ? []
      : [['Resumed', `${whole(resumed)} of ${whole(shakenOf(counts))}`]]),
    ['HTTP', `${versions}, ${perConnection(counts)}${closing(counts)}`],
    ['Loop', loopLine(counts, verdict)],
    [
      'CPU',
      `${tool} ${cores.tool.toFixed(2)} cores (${whole(verdict.cpuPerRequestUs)} µs per request), the listener ${cores.listener.toFixed(2)}`,
    ],
  ];
}

function agreedLine({ protocol, suite, connections }: ToolCounts['agreed'][number]): string {
  return `${protocol.replace('TLSv', 'TLS ')}, ${suite} (${whole(connections)})`;
}

function perConnection({ requestsPerConnection }: ToolCounts): string {
  if (requestsPerConnection === 1) return 'one request on a connection';
  return `${whole(requestsPerConnection)} requests on a connection (median)`;
}

function closing({ askedToClose }: ToolCounts): string {
  return askedToClose === 0 ? ', keep-alive' : `, ${whole(askedToClose)} closed at its request`;
}

function loopLine({ pace, seconds }: ToolCounts, { loop }: ToolVerdict): string {
  if (pace === null) {
    return seconds < longEnoughS
      ? `unknown: it ended too soon to tell. Let it run for at least ${longEnoughS} s.`
      : 'unknown: it sends in bursts, with pauses that are too long to tell.';
  }
  const rates = `${whole(pace.heldBack)} requests per second with answers delayed by ${whole(pace.delayMs)} ms, ${whole(pace.atOnce)} without`;
  return loop === 'closed' ? `closed: ${rates}` : `open: ${rates}`;
}

function meaningOf(inspected: Inspected): string[] {
  return [
    ...newConnections(inspected),
    ...loops(inspected.verdict),
    ...limits(inspected),
    'One figure alone says nothing about the cost of TLS. HTTP and HTTPS measured one after the other also differ by whatever else the machine did.',
  ];
}

/** Long enough for steady requests to meet each kind of slot twice. */
const longEnoughS = 3;

/** Below this share of requests, the cost of new connections does not show. */
const few = 0.02;

function newConnections({ counts, verdict }: Inspected): string[] {
  const { newConnectionShare, resumedShare } = verdict;
  if (resumedShare === null) return [];
  if (newConnectionShare < few) {
    return ['Hardly any request opens a connection: it measures record encryption, not handshakes.'];
  }
  const opened =
    newConnectionShare === 1
      ? 'Every request opens a connection'
      : `${printShare(newConnectionShare)} of its requests open a connection`;
  if (resumedShare > 0.5) {
    return [
      `${opened}, and ${whole(counts.resumed)} of ${whole(shakenOf(counts))} resume a session: new visitors cost more than it shows.`,
    ];
  }
  return [
    `${opened}, ${resumedShare < 0.05 ? 'each' : 'most'} with a full handshake: returning visitors cost less than it shows.`,
  ];
}

function loops({ loop }: ToolVerdict): string[] {
  if (loop === 'unknown') return [];
  return loop === 'closed'
    ? [
        'It waits for each answer before it sends the next request. Its latency leaves out the requests that it did not send in the meantime, and its throughput falls as latency rises.',
      ]
    : ['It sends at a fixed rate, so its throughput is that rate. Look at latency and CPU instead.'];
}

function limits({ verdict, tool, counts }: Inspected): string[] {
  if (verdict.limit === 'tool') {
    const most = 1e6 / Math.max(1, verdict.cpuPerRequestUs);
    return [
      `${tool} kept a core busy: it was the limit, at about ${whole(most)} requests per second for each core that it uses. A faster server would look the same.`,
    ];
  }
  if (verdict.limit === 'listener') {
    return [
      `The listener was the limit here, not ${tool}, which spends ${whole(verdict.cpuPerRequestUs)} µs of CPU on a request.`,
    ];
  }
  return counts.cores.tool + counts.cores.listener > 0
    ? [`Neither ${tool} nor the listener kept a core busy: something else was the limit, or ${tool} waited.`]
    : [];
}

function listReach({ counts, tool }: Inspected): string[] {
  return counts.alone
    ? []
    : ['', `${tool} was not isolated from the network. Its arguments lead to the listener alone.`];
}

function whole(value: number): string {
  return printNumber(value, 0);
}

/** Connections whose handshake came to its end. */
function shakenOf({ agreed }: ToolCounts): number {
  return agreed.reduce((sum, { connections }) => sum + connections, 0);
}
