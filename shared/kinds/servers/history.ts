import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';

/** What a cell of a sweep over servers says in SQL. */
export const serversHistory: HistoryView = {
  name: 'v_servers',
  table: 'server_figures',
  row: 'one row for each cell of a sweep over servers',
  columns: [
    { name: 'cell', type: 'text', about: 'Name of the cell' },
    { name: 'server', type: 'text', about: 'The server, such as nginx' },
    { name: 'protocol', type: 'text', about: 'TLSv1.3 or TLSv1.2' },
    { name: 'cipher', type: 'text', about: 'Null for the library’s choice' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'keep_alive', type: 'boolean', about: 'Whether connections stay open' },
    { name: 'resumption', type: 'boolean', about: 'Whether new connections resume a session' },
    {
      name: 'client_certificates',
      type: 'boolean',
      about: 'Whether clients show a certificate (mutual TLS)',
    },
    { name: 'k_tls', type: 'boolean', about: 'Whether the kernel encrypts' },
    { name: 'concurrency', type: 'integer', about: 'Connections open at the same time' },
    { name: 'document_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'visits', type: 'integer', about: 'Visits that succeeded' },
    { name: 'error_share', type: 'real', about: 'Share of the requests that failed, 0 to 1' },
    {
      name: 'generator_limited',
      type: 'boolean',
      about: 'Whether the load generator set the rate; requests per second are then a lower bound',
    },
    ...estimateColumns('throughput_http_per_s', 'Requests per second over HTTP'),
    ...estimateColumns('throughput_https_per_s', 'Requests per second over HTTPS'),
    ...estimateColumns('throughput_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns('throughput_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
    ...estimateColumns('cpu_http_us', 'Server CPU per request over HTTP at load, µs'),
    ...estimateColumns('cpu_https_us', 'Server CPU per request over HTTPS at load, µs'),
    ...estimateColumns('cpu_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns('cpu_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
    ...estimateColumns('latency_http_us', 'Median latency over HTTP, µs'),
    ...estimateColumns('latency_https_us', 'Median latency over HTTPS, µs'),
    ...estimateColumns('latency_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns('latency_twin_ratio', 'Second HTTP listener divided by HTTP; 1 without noise'),
  ],
};
