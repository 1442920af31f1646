import type { AbFigures, AbSpread } from '../../../../shared/kinds/servers/ab-figures.ts';

/**
 * Figures as ApacheBench 2.3 prints them, label by label and column by column, so that whatever reads its reports reads
 * these. Its banner is not ours to print; notes follow the last line. Source: `output_results` in support/ab.c of httpd 2.4.
 */
export function printAbReport(figures: AbFigures): string {
  const { timesMs, notes } = figures;
  const lines = [
    'TLS Toll, in the layout of ApacheBench 2.3',
    '',
    '',
    ...serverLines(figures),
    '',
    labeled('Document Path', figures.path),
    labeled(
      'Document Length',
      figures.documentBytes === null ? 'Variable' : `${figures.documentBytes} bytes`,
    ),
    '',
    ...countLines(figures),
    ...(timesMs === null ? [] : timeLines(timesMs)),
    ...(timesMs === null ? [] : percentileLines(figures)),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `Note: ${note}`)]),
  ];
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\ufffd')}\n`).join('');
}

function labeled(label: string, value: string): string {
  return `${`${label}:`.padEnd(24)}${value}`;
}

function serverLines({ serverSoftware, hostname, port, tls }: AbFigures): string[] {
  const optional = (label: string, value: string | null | undefined) =>
    value == null ? [] : [labeled(label, value)];
  return [
    labeled('Server Software', serverSoftware),
    labeled('Server Hostname', hostname),
    labeled('Server Port', String(port)),
    ...optional('SSL/TLS Protocol', tls?.protocol),
    ...optional('Server Temp Key', tls?.temporaryKey),
    ...optional('TLS Server Name', tls?.serverName),
  ];
}

function countLines(figures: AbFigures): string[] {
  const { failed, non2xx, keepAliveRequests } = figures;
  const { connect, receive, length, exceptions } = failed;
  const failures = connect + receive + length + exceptions;
  return [
    labeled('Concurrency Level', String(figures.concurrency)),
    labeled('Time taken for tests', `${figures.seconds.toFixed(3)} seconds`),
    labeled('Complete requests', String(figures.complete)),
    labeled('Failed requests', String(failures)),
    ...(failures === 0
      ? []
      : [`   (Connect: ${connect}, Receive: ${receive}, Length: ${length}, Exceptions: ${exceptions})`]),
    ...(non2xx === 0 ? [] : [labeled('Non-2xx responses', String(non2xx))]),
    ...(keepAliveRequests === null ? [] : [labeled('Keep-Alive requests', String(keepAliveRequests))]),
    labeled('Total transferred', `${figures.totalBytes} bytes`),
    labeled('HTML transferred', `${figures.htmlBytes} bytes`),
    labeled('Requests per second', `${figures.requestsPerS.toFixed(2)} [#/sec] (mean)`),
    labeled('Time per request', `${figures.msPerRequest.toFixed(3)} [ms] (mean)`),
    labeled(
      'Time per request',
      `${figures.msAcrossConcurrent.toFixed(3)} [ms] (mean, across all concurrent requests)`,
    ),
    labeled('Transfer rate', `${figures.kibPerS.toFixed(2)} [Kbytes/sec] received`),
  ];
}

function timeLines({ connect, processing, waiting, total }: NonNullable<AbFigures['timesMs']>): string[] {
  return [
    '',
    'Connection Times (ms)',
    '              min  mean[+/-sd] median   max',
    spreadLine('Connect', connect),
    spreadLine('Processing', processing),
    spreadLine('Waiting', waiting),
    spreadLine('Total', total),
  ];
}

function spreadLine(label: string, { min, mean, sd, median, max }: AbSpread): string {
  const columns = [whole(min, 5), whole(mean, 4), sd.toFixed(1).padStart(5), whole(median, 6), whole(max, 7)];
  return `${`${label}:`.padEnd(12)}${columns.join(' ')}`;
}

/** `ab` has no ladder for a single request. */
function percentileLines({ percentiles, complete }: AbFigures): string[] {
  if (complete < 2) return [];
  return [
    '',
    'Percentage of the requests served within a certain time (ms)',
    ...percentiles.map(
      ({ percent, ms }) =>
        `${`${percent}%`.padStart(5)}  ${whole(ms, 5)}${percent === 100 ? ' (longest request)' : ''}`,
    ),
  ];
}

function whole(ms: number, width: number): string {
  return String(Math.round(ms)).padStart(width);
}
