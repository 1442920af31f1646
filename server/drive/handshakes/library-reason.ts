/** What the TLS library, or the system, says of a failure: its words and its code. */
export function libraryReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { reason, code, syscall } = error as Error & { reason?: string; code?: string; syscall?: string };
  // The message of a system call names paths of this machine.
  const words = reason ?? syscall ?? error.message.split('\n')[0] ?? 'unknown';
  return code === undefined ? words : `${words} (${code})`;
}
