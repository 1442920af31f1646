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
  userAgent: string | null;
  referer: string | null;
  range: string | null;
  target: string | null;
};

/** One use of an option. */
export type Use = {
  /** Empty for a switch. */
  value: string;
  on: boolean;
  /** As it is written. */
  name: string;
};

export type FormField = { name: string; value: string; type: string | null };

export function emptySettings(): CurlSettings {
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
    userAgent: null,
    referer: null,
    range: null,
    target: null,
  };
}
