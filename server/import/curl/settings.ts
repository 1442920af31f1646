import type { Word } from './shell/shell-command.ts';

/** What the options of a command say, up to `--next`, before anything is done about it. */
export type CurlSettings = {
  addresses: string[];
  method: string | null;
  /** As they are given with -H. */
  headers: string[];
  /** What -d and its like have gathered; null when none was given. */
  data: string | null;
  json: boolean;
  forms: FormField[];
  /** What --url-query has gathered. */
  query: string | null;
  get: boolean;
  head: boolean;
  compressed: boolean;
  globOff: boolean;
  pathAsIs: boolean;
  /** The option that follows redirects, as it is written. */
  follow: string | null;
  user: string | null;
  bearer: string | null;
  cookies: string[];
  /** Files that cookies are read from, and the one that they are written to. */
  cookieFiles: string[];
  cookieJar: string | null;
  userAgent: string | null;
  referer: string | null;
  range: string | null;
  target: string | null;
  /** What the command reads, until an option has read it. */
  stdin: Word | null;
};

/** One use of an option. */
export type Use = {
  /** Empty for a switch. */
  value: string;
  on: boolean;
  /** As it is written. */
  name: string;
  /** Hears the rest of a sentence that begins with the option. */
  refuse: (reason: string) => void;
};

export type FormField = { name: string; value: string; type: string | null };

export function emptySettings(stdin: Word | null): CurlSettings {
  return {
    addresses: [],
    method: null,
    headers: [],
    data: null,
    json: false,
    forms: [],
    query: null,
    get: false,
    head: false,
    compressed: false,
    globOff: false,
    pathAsIs: false,
    follow: null,
    user: null,
    bearer: null,
    cookies: [],
    cookieFiles: [],
    cookieJar: null,
    userAgent: null,
    referer: null,
    range: null,
    target: null,
    stdin,
  };
}
