/** The delete tokens of the measurements and schedules that this browser started. The server keeps only their hashes. */

const prefix = 'tls-toll:delete-token:';

export function rememberDeleteToken(id: string, token: string | null): void {
  if (token !== null) keepText(prefix + id, token);
}

export function recallDeleteToken(id: string): string | null {
  return recallText(prefix + id);
}

/** Whether this browser may delete it: whether it was started here. */
export function isOurs(id: string): boolean {
  return recallDeleteToken(id) !== null;
}

export function forgetDeleteToken(id: string): void {
  keepText(prefix + id, null);
}

/** Gives the measurements of a schedule the schedule's delete token. */
export function adoptDeleteTokens(
  measurements: readonly { id: string; scheduleId?: string | undefined }[],
): void {
  for (const { id, scheduleId } of measurements) {
    if (scheduleId === undefined || recallDeleteToken(id) !== null) continue;
    rememberDeleteToken(id, recallDeleteToken(scheduleId));
  }
}

/** Stores short texts in this browser. If its storage is full or blocked, they are lost, and the page still works. */

export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The page works without it.
  }
}

export function recallText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
