import type { HistoricMachine } from './tables.ts';

/** How much of its transfer rate each server of the study lost with SSL: 100·(1 − Rate with SSL ÷ Rate without). */
export const webperf1998: HistoricMachine & {
  rows: readonly { server: string; rateLossPercent: number }[];
} = {
  year: 1998,
  machine: 'Pentium, 200 MHz; the client a Pentium, 100 MHz; 10 Mbit/s',
  library: 'SSLeay',
  source: 'Goldberg, Buff and Schmitt, WebPerf, New York University, 1998',
  rows: [
    { server: 'Netscape Enterprise 3.5.1', rateLossPercent: 22 },
    { server: 'IIS 4.0', rateLossPercent: 17 },
  ],
};
