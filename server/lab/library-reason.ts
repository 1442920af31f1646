/** What the TLS library says of a failure, in its words and with its code. */
export function libraryReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { reason, code } = error as Error & { reason?: string; code?: string };
  const words = reason ?? error.message.split('\n')[0] ?? 'unknown';
  return code === undefined ? words : `${words} (${code})`;
}
