import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';

/** What a size of a sweep says in SQL. */
export const sizesHistory: HistoryView = {
  name: 'v_sizes',
  table: 'size_figures',
  row: 'one row for each document size of a sweep, over HTTP and over each HTTPS suite',
  columns: [
    { name: 'target', type: 'text', about: 'Server started, or the two origins' },
    { name: 'transport', type: 'text', about: 'http or https' },
    { name: 'cipher', type: 'text', about: 'Cipher suite; null for http' },
    { name: 'size_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'rounds', type: 'integer', about: 'Rounds that visited it' },
    { name: 'transactions', type: 'integer', about: 'Requests that succeeded' },
    { name: 'latency_us', type: 'real', about: 'Median latency, µs' },
    { name: 'latency_p2_5_us', type: 'real', about: '2.5th percentile, µs' },
    { name: 'latency_p12_5_us', type: 'real', about: '12.5th percentile, µs' },
    { name: 'latency_p87_5_us', type: 'real', about: '87.5th percentile, µs' },
    { name: 'latency_p97_5_us', type: 'real', about: '97.5th percentile, µs' },
    {
      name: 'cpu_us',
      type: 'real',
      about: 'Server CPU per request at load, µs',
    },
    { name: 'connect_us', type: 'real', about: 'Opening a connection, handshake included, µs' },
    ...estimateColumns('latency_ratio', 'https divided by http; null for http'),
    ...estimateColumns('latency_delta_us', 'https minus http, µs; null for http'),
    ...estimateColumns('cpu_ratio', 'https divided by http; null for http'),
    ...estimateColumns('cpu_delta_us', 'https minus http, µs; null for http'),
  ],
};
