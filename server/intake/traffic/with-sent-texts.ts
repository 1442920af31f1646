import type { Exchange } from '../../../shared/scenario/recording.ts';

/** With what is sent written in another way. */
export function withSentTexts(exchange: Exchange, write: (text: string) => string): Exchange {
  const { path, requestHeaders, requestBody } = exchange;
  return {
    ...exchange,
    path: write(path),
    requestHeaders: requestHeaders.map(([name, value]) => [name, write(value)]),
    requestBody: requestBody === null ? null : write(requestBody),
  };
}
