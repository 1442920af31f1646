/** How much of its transfer rate each server of the study lost with SSL: 100·(1 − Rate with SSL ÷ Rate without). */
export const webperf1998: readonly { server: string; rateLossPercent: number }[] = [
  { server: 'Netscape Enterprise 3.5.1', rateLossPercent: 22 },
  { server: 'IIS 4.0', rateLossPercent: 17 },
];
