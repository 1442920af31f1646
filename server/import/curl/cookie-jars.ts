import type { CurlSettings } from './settings.ts';

/** What a request does with files of cookies. */
export type JarUse = {
  reads: readonly string[];
  writes: string | null;
  /** Whether it is several requests, of which each knows the cookies of those before it. */
  isSeveral: boolean;
};

export function jarUseOf({ cookieFiles, cookieJar }: CurlSettings, requests: number): JarUse {
  return { reads: cookieFiles, writes: cookieJar, isSeveral: requests > 1 };
}

/** The cookies of a text. Whether anything reads what -c writes is known when all of it was read. */
export type CookieJars = {
  keepsCookies: boolean;
  /** Why a command would send other cookies in a scenario, as a sentence; null when it sends the same. Asked command by command. */
  faultOf(uses: readonly JarUse[]): string | null;
  /** Says that the command is not imported, for whatever reason. */
  leaveOut(uses: readonly JarUse[]): void;
};

/**
 * Follows a file of cookies from command to command: a scenario has one jar, which is empty at first and belongs to all of its
 * steps.
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
    if (files.size > 1) return '-b and -c use different files, and a scenario has one cookie jar.';
    const [file = null] = files;
    if (file !== null && jar !== null && file !== jar) {
      return 'It keeps cookies in another file than the commands before it, and a scenario has one cookie jar.';
    }
    if (reads.length === 0) {
      return isFilled
        ? 'It sends none of the cookies that commands before it keep with -c. A scenario keeps them for all of its steps.'
        : null;
    }
    if (isSpoiled) return '-b reads cookies that a command before it keeps, and that command was left out.';
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
