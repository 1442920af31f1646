import type { Exchange } from '../../../shared/scenario/recording.ts';

/** The exchange with every text that was sent rewritten; what was received stays as it is. */
export function withSentTexts(exchange: Exchange, write: (text: string) => string): Exchange {
  const { path, requestHeaders, requestBody } = exchange;
  return {
    ...exchange,
    path: write(path),
    requestHeaders: requestHeaders.map(([name, value]) => [name, write(value)]),
    requestBody: requestBody === null ? null : write(requestBody),
  };
}
