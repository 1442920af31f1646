import type { CurlSettings } from './settings.ts';

/** What a command does with cookie files. */
export type JarUse = {
  reads: readonly string[];
  writes: string | null;
  /** Whether it sends several requests, each with the cookies of those before it. */
  isSeveral: boolean;
};

export function jarUseOf({ cookieFiles, cookieJar }: CurlSettings, requests: number): JarUse {
  return { reads: cookieFiles, writes: cookieJar, isSeveral: requests > 1 };
}

/** Follows the cookie files of a text. */
export type CookieJars = {
  /** Whether any command reads cookies that one keeps. */
  keepsCookies: boolean;
  /** Why a command would send different cookies in a scenario, as a sentence, or null. Asked command by command, in order. */
  faultOf(uses: readonly JarUse[]): string | null;
  /** To be called for each command that is not imported. */
  leaveOut(uses: readonly JarUse[]): void;
};

/**
 * Follows a cookie file from command to command. A scenario has one jar, which is empty at first and shared by all steps.
 */
export function openCookieJars(all: readonly JarUse[]): CookieJars {
  const keepsCookies = all.some(
    ({ reads, writes, isSeveral }) => reads.length > 0 || (writes !== null && isSeveral),
  );
  let jar: string | null = null;
  let isFilled = false;
  let isSpoiled = false;

  function faultOfUse({ reads, writes }: JarUse): string | null {
    const files = new Set([...reads, ...(writes === null ? [] : [writes])]);
    if (files.size > 1) return '-b and -c use different files. A scenario has one cookie jar.';
    const [file = null] = files;
    if (file !== null && jar !== null && file !== jar) {
      return 'It keeps cookies in a different file than earlier commands. A scenario has one cookie jar.';
    }
    if (reads.length === 0) {
      return isFilled
        ? 'It does not send the cookies that earlier commands keep with -c. A scenario sends them with every step.'
        : null;
    }
    if (isSpoiled) return '-b reads cookies of an earlier command that was left out.';
    return jar === null && writes === null
      ? '-b reads a file, which is not imported. Insert its cookies as name=value.'
      : null;
  }

  return {
    keepsCookies,

    faultOf(uses) {
      if (!keepsCookies) return null;
      for (const use of uses) {
        const fault = faultOfUse(use);
        if (fault !== null) return fault;
        jar ??= use.writes;
        isFilled ||= use.writes !== null;
      }
      return null;
    },

    leaveOut(uses) {
      isSpoiled ||= uses.some(({ writes }) => writes !== null);
    },
  };
}
