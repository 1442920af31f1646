/** Keeps short texts in this browser. If its storage is full or blocked, nothing is kept, and the page works all the same. */

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
