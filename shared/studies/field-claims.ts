import { printNumber } from '../base/quantity.ts';
import { about, type CellShape, type Claim } from './study-figure.ts';
import { wong2003 } from './tables-wong-2003.ts';

/** Claims of today's field. Claims that cannot be measured here give the reason. */

/** The server's end of TLS 1.3, which the reports of rustls measure for OpenSSL. */
function ofOpenssl(id: string, said: string, perS: number, cell: CellShape): Claim {
  return {
    ...{ id, study: 'rustls-2026', unit: 'per second', by: ['handshakes'], said },
    printed: `${perS.toLocaleString('en-US')} per second`,
    figure: { kind: 'handshakes', of: 'server handshakes', cell },
    rule: about(perS),
    note: 'OpenSSL of Node on this machine, through a socket, so the kernel’s work is included. On a shared machine, another run may differ by more than this interval.',
  };
}

const today = { version: 'TLSv1.3', group: 'X25519', bytes: 1 } as const;
const cipher = 'TLS_AES_128_GCM_SHA256';

export const fieldClaims: readonly Claim[] = [
  {
    ...{
      id: 'netflix-tls',
      study: 'netflix-2015',
      unit: '',
      printed: '30 to 53 % of a server’s capacity',
      by: null,
    },
    said: 'Before kernel TLS, HTTPS took 30 to 53 % of the capacity of a video server',
    word: 'not measured',
    note: 'It needs a kernel with TLS to compare with, and files sent at tens of Gbit/s.',
  },
  {
    ...{ id: 'istio-mtls-cpu', study: 'istio-618-2019', unit: '%', by: ['mesh-envoy', 'mesh'] },
    said: 'Mutual TLS between sidecars costs about 12 % more CPU',
    printed: 'about 12 %',
    figure: { kind: 'mesh', of: 'CPU of TLS' },
    rule: { from: 11.5, to: 12.5 },
    note: 'CPU of the application and both sidecars. Without Envoy, HAProxy stands in for it.',
  },
  {
    ...{ id: 'redis-tls', study: 'redis-2020', unit: '', by: null },
    said: 'With TLS, Redis 6 does 23 % fewer sets',
    printed: '6,137 → 4,736 sets/s',
    word: 'not measured',
    note: 'The load generator speaks HTTP only.',
  },
  {
    ...{ id: 'nginx-compression', study: 'nginx-compression-2023', unit: 'ms', by: ['compression'] },
    said: 'Compression may save a long chain of certificates a round trip',
    printed: 'an additional round trip',
    figure: { kind: 'comparison', of: 'difference', metric: 'latency_p50', divisor: 1000 },
    rule: about(-100),
    note: 'A round trip here is 100 ms. The source means QUIC’s limit before the client’s address is known; here it is TCP’s initial window, which holds the chain only compressed.',
  },
  {
    ...{
      id: 'rustls-handshakes',
      study: 'rustls-2024',
      unit: '',
      printed: 'tables of handshakes per second',
      by: null,
    },
    said: 'rustls makes more handshakes per second than OpenSSL',
    word: 'not measured',
    note: 'rustls is not part of the lab. OpenSSL is: see its figures of 2026 below.',
  },
  {
    ...{ id: 'rustls-key-share', study: 'rustls-2024', unit: '', printed: '2.6 to 4.3 %', by: null },
    said: 'Reusing the X25519 key share of a hybrid group saves 2.6 to 4.3 % of a handshake',
    word: 'not measured',
    note: 'OpenSSL generates a new key for each key share, and no option changes that.',
  },
  {
    ...{ id: 'chrome-ml-kem', study: 'chrome-2024', unit: '%', printed: '+4 %', by: ['ml-kem'] },
    said: 'ML-KEM in the ClientHello makes a handshake 4 % slower',
    figure: { kind: 'comparison', of: 'handshake' },
    rule: { from: 3.5, to: 4.5 },
    note: 'X25519MLKEM768 instead of X25519 on new connections, 25 ms away, without the round trips of TCP and of the request.',
  },
  {
    ...{ id: 'chrome-kb', study: 'chrome-2024', unit: '%', printed: '+1.5 % for each kB', by: ['ml-dsa'] },
    said: 'Each kB more from the server makes a handshake 1.5 % slower',
    figure: { kind: 'comparison', of: 'handshake per kB' },
    rule: { from: 1, to: 2 },
    note: 'A certificate with ML-DSA-65 instead of P-256 on new connections, 25 ms away, without the round trips of TCP and of the request. It includes the CPU time of ML-DSA.',
  },
  {
    ...{
      id: 'istio-sidecar-cpu',
      study: 'istio-1.24',
      unit: 'vCPU',
      printed: '0.20 vCPU',
      by: ['mesh-envoy'],
    },
    said: 'At 1,000 requests/s of 1 kB, a sidecar takes 0.20 vCPU',
    figure: { kind: 'mesh', of: 'sidecar vCPU' },
    rule: about(0.2),
    note: 'CPU of a request in the server’s sidecar, with mutual TLS, times 1,000.',
  },
  {
    ...{ id: 'istio-sidecar-memory', study: 'istio-1.24', unit: '', printed: '60 MB', by: null },
    said: 'The same sidecar takes 60 MB of memory',
    word: 'not comparable',
    note: 'The sidecar holds the configuration of a mesh of 1,000 services. Here are only two sidecars.',
  },
  {
    ...{ id: 'mesh-mtls-latency', study: 'mesh-mtls-2024', unit: '%', printed: '+33 %', by: ['mesh'] },
    said: 'Linkerd with mutual TLS adds 33 % to the latency',
    figure: { kind: 'mesh', of: 'latency of the mesh' },
    rule: about(33),
    note: 'Two HAProxy sidecars stand in for Linkerd’s; the median with one user, with the mesh ÷ without.',
  },
  {
    ...{ id: 'dotnet-ktls', study: 'dotnet-125110', unit: '', printed: '−40 %, 64 kB, HTTP/2', by: null },
    said: 'With kernel TLS, .NET’s throughput of 64 kB over HTTP/2 falls by 40 %',
    word: 'not measured',
    note: '.NET is not among the servers here, and the kernel needs TLS.',
  },
  ofOpenssl('rustls-openssl-ecdsa', 'OpenSSL makes 3,177 full handshakes per second with ECDSA', 3177, {
    ...today,
    ...{ cipher, key: 'P-256', resumption: 'full' },
  }),
  ofOpenssl('rustls-openssl-rsa', 'OpenSSL makes 1,713 full handshakes per second with RSA-2048', 1713, {
    ...today,
    ...{ cipher, key: 'RSA-2048', resumption: 'full' },
  }),
  ofOpenssl('rustls-openssl-resumed', 'OpenSSL makes 3,780 resumed handshakes per second', 3780, {
    ...today,
    ...{ cipher, key: 'P-256', resumption: 'resumed' },
  }),
  {
    ...{ id: 'openssl-short-connections', study: 'openssl-31444', unit: '%', by: ['library'] },
    said: 'With OpenSSL 3.5, nginx serves 10 % fewer short connections than with 3.0',
    printed: 'about −10 %',
    figure: { kind: 'comparison', of: 'gain', metric: 'cpu_at_load' },
    rule: { from: -10.5, to: -9.5 },
    note: 'Connections per second of server CPU, because the load generator limits those per second. OpenSSL 3.5.0 instead of 3.0.8, built with the same flags; X25519 and AES-256-GCM on both sides.',
  },
  {
    ...{ id: 'httparena-tls', study: 'httparena-2026', unit: '', printed: '−93 to +37 %', by: null },
    said: 'TLS changes the throughput of frameworks by −93 to +37 %',
    word: 'not comparable',
    note: 'The best of three runs of 5 s, one side after the other. Without alternating turns, whatever else the machine did is part of the figure.',
  },
];

const first = { study: 'pairs-2026', printed: null, rule: null } as const;
const changeOfCpu = { kind: 'comparison', of: 'change', metric: 'cpu_at_load' } as const;

export const pairedFigures: readonly Claim[] = [
  {
    ...{ ...first, id: 'pairs-library', unit: '%', by: ['library'], figure: changeOfCpu },
    said: 'Server CPU of a new connection to nginx, OpenSSL 3.5.0 instead of 3.0.8',
    note: 'Built with the same flags; X25519 and AES-256-GCM on both sides.',
  },
  {
    ...{ ...first, id: 'pairs-compression', unit: 'ms', by: ['compression'] },
    said: 'Time of a new connection to Node 100 ms away, certificates in brotli instead of plain',
    figure: { kind: 'comparison', of: 'difference', metric: 'latency_p50', divisor: 1000 },
    note: 'RSA-2048 with two intermediates, over an initial window of 2 segments, which holds the chain only compressed.',
  },
  {
    ...{ ...first, id: 'pairs-tickets', unit: '%', by: ['tickets'], figure: changeOfCpu },
    said: 'Server CPU of a new connection to nginx, two session tickets instead of none',
  },
  {
    ...{ ...first, id: 'pairs-record-size', unit: '%', by: ['record-size'], figure: changeOfCpu },
    said: 'Server CPU of 1 MB from nginx, records of 4 KiB instead of 16',
  },
];

/** Every row of Wong's table, and what he says about the cache. The rule of a rounded figure spans everything that rounds to it. */

const { transactionsPer10Min: in10Min, transactionsPerS: perS, webServerCpuPercent: cpu } = wong2003;
const { webServerMemoryMB: memory, webServerDiskBytesPerS: disk, executionMs } = wong2003;

/** In percent. */
function changeOf({ baseline, ssl }: { baseline: number; ssl: number }): number {
  return 100 * (ssl / baseline - 1);
}

/** The least and the most that a quotient of two rounded figures can be. */
export function roundedQuotient(
  { baseline, ssl }: { baseline: number; ssl: number },
  half: number,
): { from: number; to: number } {
  return { from: (ssl - half) / (baseline + half), to: (ssl + half) / (baseline - half) };
}

const perSecond = roundedQuotient(perS, 0.05);

const ofStudy = { study: 'wong-2003', by: ['storefront'] } as const;

export const wongClaims: readonly Claim[] = [
  {
    ...ofStudy,
    ...{ id: 'wong-throughput', unit: '%' },
    said: 'SSL costs 6.0 % of the transactions in ten minutes; the source rounds it to 5 %',
    printed: `${printNumber(in10Min.baseline, 0)} → ${printNumber(in10Min.ssl, 0)} transactions: ${printNumber(changeOf(in10Min), 1)} %`,
    figure: { kind: 'comparison', of: 'change', metric: 'transactions_per_10_min' },
    rule: { from: changeOf(in10Min) - 1, to: changeOf(in10Min) + 1 },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-per-second', unit: '%' },
    said: `SSL costs ${printNumber(-changeOf(perS), 1)} % of the transactions per second`,
    printed: `${perS.baseline} → ${perS.ssl} transactions/s: ${printNumber(changeOf(perS), 1)} %`,
    figure: { kind: 'comparison', of: 'change', metric: 'throughput' },
    rule: { from: 100 * (perSecond.from - 1), to: 100 * (perSecond.to - 1) },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-execution', unit: 'ms' },
    said: 'With SSL, the application still takes less than 500 ms',
    printed: `below ${executionMs.below} ms on both sides`,
    figure: { kind: 'comparison', of: 'value', metric: 'execution_time', divisor: 1000 },
    rule: { to: executionMs.below },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-cpu', unit: 'times' },
    said: 'The web server’s CPU goes from 6 to 30 %: five times as much',
    printed: `${cpu.baseline} → ${cpu.ssl} %: ${cpu.printed}`,
    figure: { kind: 'comparison', of: 'times', metric: 'cpu_utilization' },
    rule: roundedQuotient(cpu, 0.5),
    note: 'At the same arrival rate on both sides. Percentage points depend on that rate, so the ratio is compared.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-memory', unit: 'MB' },
    said: 'In ten minutes, the web server’s memory grows by 15 MB more',
    printed: `${memory.baseline} → ${memory.ssl} MB: ${memory.printed}`,
    figure: { kind: 'comparison', of: 'difference', metric: 'memory_growth', divisor: 1e6 },
    rule: null,
    note: 'He measured for ten minutes. A start here is measured for seconds.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-disk', unit: 'bytes/s' },
    said: 'The web server’s disk traffic grows by 3,002 bytes/s',
    printed: `${printNumber(disk.baseline, 0)} → ${printNumber(disk.ssl, 0)} bytes/s: ${disk.printed}`,
    figure: { kind: 'comparison', of: 'difference', metric: 'disk_bytes_per_s' },
    rule: { from: 2500, to: 3500 },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-network-row', unit: 'times' },
    said: 'The network row of the table',
    printed: '<500 ms on both sides',
    figure: { kind: 'comparison', of: 'times', metric: 'network_bytes_per_s' },
    rule: null,
    note: 'A misprint: the source repeats its row of execution times.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-network', unit: 'times', printed: null },
    said: 'Network use rises, according to the text next to the table',
    figure: { kind: 'comparison', of: 'times', metric: 'network_bytes_per_s' },
    rule: { from: 1 },
    note: 'Bytes on the sockets at the same arrival rate, HTTPS ÷ HTTP.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-cache', unit: 'times', printed: null },
    said: 'Browsers do not cache over SSL what they cache over HTTP, such as .jpg and .js',
    figure: { kind: 'comparison', of: 'cache hits' },
    rule: { to: 0.05 },
    note: 'On a second visit, what the cache answered over HTTPS ÷ over HTTP.',
  },
  {
    ...{ id: 'wong-cache-slow', study: 'wong-2003', unit: '%', printed: null, by: ['visits'] },
    said: 'Without a cache, pages load more slowly',
    figure: { kind: 'visits', of: 'second load' },
    rule: { from: 5 },
    note: 'Load time of a second visit, with the cache of the first.',
  },
];
