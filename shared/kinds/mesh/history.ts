import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';

/** What a cost of a mesh says in SQL. */
export const meshHistory: HistoryView = {
  name: 'v_mesh',
  table: 'mesh_figures',
  row: 'one row for each cost of a mesh',
  columns: [
    { name: 'application', type: 'text', about: 'Server started, or its address' },
    { name: 'proxy', type: 'text', about: 'haproxy or envoy' },
    { name: 'client_proxy', type: 'boolean', about: 'Whether there was a proxy on either side' },
    { name: 'mutual_tls', type: 'boolean', about: 'Whether proxies demanded a client certificate' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'cost', type: 'text', about: 'proxy, tls, or twin: the direct path again' },
    ...estimateColumns('cpu_us', 'CPU that it adds to a request at load, µs'),
    ...estimateColumns('cpu_percent', 'The same, of a direct request'),
    ...estimateColumns('latency_us', 'Latency that it adds to a lone request, µs'),
    ...estimateColumns('latency_percent', 'The same, of a direct request'),
  ],
};
