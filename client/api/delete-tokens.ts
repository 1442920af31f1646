/** The delete tokens of the measurements and schedules that this browser started. The server keeps only their hashes. */

const prefix = 'tls-toll:delete-token:';

export function rememberDeleteToken(id: string, token: string | null): void {
  if (token === null) return;
  try {
    localStorage.setItem(prefix + id, token);
  } catch {
    // Storage can be full or forbidden; the measurement works without it, it just cannot be deleted from here.
  }
}

export function recallDeleteToken(id: string): string | null {
  try {
    return localStorage.getItem(prefix + id);
  } catch {
    return null;
  }
}

/** Whether this browser may delete it: whether it was started here. */
export function isOurs(id: string): boolean {
  return recallDeleteToken(id) !== null;
}

export function forgetDeleteToken(id: string): void {
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // As above: nothing was stored.
  }
}

/** What was measured for a schedule has its token. */
export function adoptDeleteTokens(
  measurements: readonly { id: string; scheduleId?: string | undefined }[],
): void {
  for (const { id, scheduleId } of measurements) {
    if (scheduleId === undefined || recallDeleteToken(id) !== null) continue;
    rememberDeleteToken(id, recallDeleteToken(scheduleId));
  }
}
