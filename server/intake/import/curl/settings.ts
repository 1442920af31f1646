/** What the options of a command say, up to `--next`, before anything is done about it. */
export type CurlSettings = ReturnType<typeof emptySettings>;

/** @param jars files in which earlier commands of the text keep their cookies */
export function emptySettings(jars: Set<string> = new Set()) {
  return {
    jars,
    /** Whether responses give cookies that later requests send. */
    keepsCookies: false,
    /** In sentences: what is kept of no request. */
    notes: new Set<string>(),
    addresses: [] as string[],
    method: null as string | null,
    /** As they are given with -H. */
    headers: [] as string[],
    /** What -d and its like have gathered; null when none was given. */
    data: null as string | null,
    json: false,
    forms: [] as FormField[],
    /** What --url-query has gathered. */
    query: null as string | null,
    get: false,
    head: false,
    compressed: false,
    globOff: false,
    pathAsIs: false,
    /** The option that follows redirects, as it is written. */
    follow: null as string | null,
    user: null as string | null,
    bearer: null as string | null,
    cookies: [] as string[],
    userAgent: null as string | null,
    referer: null as string | null,
    range: null as string | null,
    target: null as string | null,
  };
}

/** One use of an option. */
export type Use = {
  /** Empty for a switch. */
  value: string;
  on: boolean;
  /** As it is written. */
  name: string;
};

export type FormField = { name: string; value: string; type: string | null };
