/**
 * Wong's table of the IBuySpy Store, Search scenario, as it was printed: baseline, SSL, and the delta that the source gives. A cell
 * that is no number is null: execution times are below 500 ms, and the network row repeats them.
 */
export const wong2003 = {
  transactionsPer10Min: { baseline: 1401, ssl: 1317, printed: '5%' },
  transactionsPerS: { baseline: 2.3, ssl: 2.2, printed: null },
  executionMs: { below: 500, printed: 'N/A' },
  webServerCpuPercent: { baseline: 6, ssl: 30, printed: '24 points' },
  webServerMemoryMB: { baseline: 4, ssl: 19, printed: '15 MB' },
  webServerDiskBytesPerS: { baseline: 16_935, ssl: 19_937, printed: 'about 3000' },
  webServerNetwork: { baseline: null, ssl: null, printed: 'N/A' },
} as const;
