import {
  type Correlation,
  type Exchange,
  headerOf,
  type ImportReport,
  type LeftOut,
  type PageGroup,
  type Site,
  siteSchema,
  type TrafficChoices,
  type Unsupported,
} from '../../../shared/scenario/import.ts';
import {
  browserEncodings,
  type Scenario,
  type Step,
  scenarioSchema,
} from '../../../shared/scenario/scenario.ts';
import { originVariable } from '../scenario/compiled-script.ts';
import { correlate, problemWithStep, stepOf } from './correlation.ts';
import { isStatic } from './page-exchange.ts';
import { isBrowserHeader } from './received-values.ts';
import { addTextChecks, type SeenText } from './redacted-actions.ts';
import { openRedaction } from './redaction.ts';
import { namedSecrets } from './spellings.ts';

export type TrafficReport = Pick<
  ImportReport,
  'scenario' | 'site' | 'pages' | 'leftOut' | 'correlations' | 'secrets' | 'unsupported' | 'notes'
>;

const mostSteps = 50;
const mostRulesOfAStep = 20;
/** Responses that do not become steps and are searched for values. */
const mostOthers = 200;
/** Length of a name in DNS. */
const longestHost = 253;

/**
 * From what was recorded to a scenario: select, redact, correlate, write steps. The exchanges come in the order in
 * which their requests left.
 *
 * @param written where a person wrote the requests, and means what they say of cookies and browser: whether a jar keeps
 * cookies as well. Null: they were recorded, and a jar keeps them
 * @param seen texts that must be there again
 * @param taken names of secrets that are replaced already
 */
export function trafficToScenario(
  recorded: readonly Exchange[],
  name: string,
  choices: TrafficChoices,
  written: { keepsCookies: boolean } | null = null,
  seen: readonly SeenText[] = [],
  taken: readonly string[] = [],
): TrafficReport {
  const { redact, clean, secrets } = openRedaction(recorded, {
    taken,
    declined: choices.declined,
    unit: written === null ? 'entry' : 'line',
  });
  const { sendable, unsupported } = splitSendable(recorded, redact, written !== null);
  const selection = selectExchanges(sendable, choices);
  const { kept, leftOut, host, site } = selection;
  const exchanges = withOwnOrigin(kept.slice(0, mostSteps).map(redact), host);
  if (kept.length > mostSteps) unsupported.push(tooMany(kept));
  const pages = namePages(selection.pages, exchanges);
  const others = sendable.filter((each) => each.responseBody !== null && !kept.includes(each));
  const { correlations, substitute, notes } = correlate(
    exchanges,
    choices.accepted,
    written === null ? others.slice(0, mostOthers).map(redact) : [],
  );
  const pauses = thinkTimes(exchanges, choices.thinkTimeScale);
  const names = stepNames(exchanges, pages);
  const steps = exchanges.map((exchange, index) =>
    stepOf(exchange, {
      name: names[index] ?? exchange.path,
      thinkTimeMs: pauses[index] ?? 0,
      written: written !== null,
      encodings: written === null ? browserEncodings : null,
      bodyLength: kept[index]?.responseBody?.length ?? null,
      substitute: (sent) => substitute(index, sent),
    }),
  );
  addRules(steps, correlations);
  const unseen = addTextChecks(steps, exchanges, seen, clean);
  const scenario = scenarioOf(name, steps, exchanges, host, written);
  const sent = new Set(namedSecrets(scenario));
  return {
    scenario,
    site,
    pages,
    leftOut,
    correlations,
    // The others are not sent: cookies come back from the server, and so do correlated tokens.
    secrets: secrets.filter(({ name, declined }) => declined || sent.has(name)),
    unsupported,
    notes: [
      ...notes,
      ...unseen,
      ...(written === null ? [...cookieNotes(exchanges), ...headerNotes(exchanges)] : []),
      ...schemeNotes(exchanges),
    ],
  };
}

/** Decided on what would be sent, as a placeholder may be longer than its secret; of thousands no response is redacted for it. */
function splitSendable(
  exchanges: readonly Exchange[],
  redact: (exchange: Exchange) => Exchange,
  written: boolean,
) {
  const sendable: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  for (const exchange of exchanges) {
    const problem = problemWithStep(
      redact({ ...exchange, responseHeaders: [], responseBody: null }),
      written,
    );
    if (problem === null) sendable.push(exchange);
    else unsupported.push({ line: exchange.number, reason: `Entry ${exchange.number} ${problem}.` });
  }
  return { sendable, unsupported };
}

/**
 * Origin and Referer as each side has to send them: a server that checks them wants its own. The site's other ports and
 * schemes are its own too, as all of its requests go to the target. Other sites stay as they are.
 */
function withOwnOrigin(exchanges: readonly Exchange[], host: string | null): Exchange[] {
  return exchanges.map((exchange) => ({
    ...exchange,
    requestHeaders: exchange.requestHeaders.map(([name, value]) => {
      if (!/^(?:origin|referer)$/i.test(name)) return [name, value];
      const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(value) ?? [];
      const isOwn = host !== null && URL.parse(origin)?.hostname === host;
      return [name, isOwn ? `\${${originVariable}}${rest}` : value];
    }),
  }));
}

function namePages(pages: readonly PageSpan[], exchanges: readonly Exchange[]): PageGroup[] {
  return pages.flatMap(({ document, ...page }) => {
    const exchange = exchanges[document] ?? exchanges[page.firstStep];
    return exchange === undefined ? [] : [{ name: pageNameOf(exchange), ...page }];
  });
}

function tooMany(kept: readonly Exchange[]): Unsupported {
  const first = kept[mostSteps]?.number ?? 1;
  const more = kept.length - mostSteps;
  const which = more === 1 ? `Entry ${first} is` : `Entry ${first} and ${more - 1} after it are`;
  return { line: first, reason: `${which} left out: a scenario has at most ${mostSteps} steps.` };
}

function addRules(steps: Step[], correlations: readonly Correlation[]): void {
  for (const { extract, step, accepted } of correlations) {
    const rules = steps[step]?.extract;
    if (accepted && rules !== undefined && rules.length < mostRulesOfAStep) rules.push(extract);
  }
}

/** The page's name for its document, the page and the request for what it loads. */
function stepNames(exchanges: readonly Exchange[], pages: readonly PageGroup[]): string[] {
  return exchanges.map(({ method, path, resourceType }, index) => {
    const page = pages.findLast(({ firstStep }) => firstStep <= index)?.name ?? '';
    const request = `${method} ${path.split('?', 1)[0]}`;
    if (resourceType === 'document') return (method === 'GET' ? page : `${page} (${method})`).slice(0, 100);
    return `${page.slice(0, 40)} › ${request}`.slice(0, 100);
  });
}

function scenarioOf(
  name: string,
  steps: Step[],
  exchanges: readonly Exchange[],
  host: string | null,
  written: { keepsCookies: boolean } | null,
): Scenario | null {
  if (steps.length === 0) return null;
  const documents = exchanges.flatMap(({ resourceType, status }, index) => {
    const step = steps[index];
    const isPage = resourceType === 'document' && step?.method === 'GET' && status >= 200 && status < 300;
    return isPage && !step.path.includes('${') ? [step.path] : [];
  });
  return scenarioSchema.parse({
    name: name.trim().slice(0, 100) || 'Imported',
    description: `${written === null ? 'Recorded' : 'Written'} for ${host?.slice(0, longestHost) ?? 'an unnamed host'}.`,
    steps,
    cookies:
      // A browser keeps cookies, whether its recording shows them or not.
      written?.keepsCookies ?? true,
    pages: [...new Set(documents)].slice(0, 20),
  });
}

/** A jar starts empty: a cookie that no recorded response gave is missing in the replay. */
function cookieNotes(exchanges: readonly Exchange[]): string[] {
  const given = new Set<string>();
  const missing = new Set<string>();
  for (const { requestHeaders, responseHeaders } of exchanges) {
    for (const pair of (headerOf(requestHeaders, 'cookie') ?? '').split(';')) {
      const cookie = pair.split('=', 1)[0]?.trim();
      if (cookie && !given.has(cookie)) missing.add(cookie);
    }
    for (const [header, value] of responseHeaders) {
      if (header.toLowerCase() !== 'set-cookie') continue;
      for (const line of value.split('\n')) given.add(line.split('=', 1)[0]?.trim() ?? '');
    }
  }
  if (missing.size === 0) return [];
  const names = [...missing].slice(0, 10).join(', ');
  return [
    `No recorded response gave the cookies ${names}: they are not sent. Record from the log-in on if the steps need them.`,
  ];
}

/** Headers in which a browser describes itself are not part of a step. */
function headerNotes(exchanges: readonly Exchange[]): string[] {
  const names = new Set(
    exchanges.flatMap(({ requestHeaders }) => requestHeaders.map(([name]) => name.toLowerCase())),
  );
  // Steps have an Accept-Encoding of their own.
  const left = [...names].filter((name) => isBrowserHeader(name) && name !== 'accept-encoding').sort();
  if (left.length === 0) return [];
  const more = left.length > 20 ? ` and ${left.length - 20} more` : '';
  return [
    `Headers in which a browser describes itself are left out: ${left.slice(0, 20).join(', ')}${more}. Add a header to a step if the site needs it.`,
  ];
}

function schemeNotes(exchanges: readonly Exchange[]): string[] {
  const schemes = new Set(exchanges.map(({ origin }) => origin.split(':', 1)[0]));
  return schemes.size < 2
    ? []
    : ['The recording changes between http and https. Each side of a run stays on its own scheme.'];
}

const longestMs = 60_000;
/** Below it lies the browser's own work, not a person's thought. */
const shortestMs = 100;

/** The pause before each request: from the end of all that was sent earlier until it left, in ms, times `scale`. */
function thinkTimes(
  exchanges: readonly Pick<Exchange, 'startedAtMs' | 'durationMs'>[],
  scale: number,
): number[] {
  let endMs: number | null = null;
  return exchanges.map(({ startedAtMs, durationMs }) => {
    const pauseMs = endMs === null ? 0 : startedAtMs - endMs;
    endMs = Math.max(endMs ?? 0, startedAtMs + durationMs);
    return pauseMs < shortestMs ? 0 : Math.min(longestMs, Math.round(pauseMs * scale));
  });
}

/** The exchanges that become steps, in pages, and how many did not and why. */
type Selection = {
  kept: Exchange[];
  pages: PageSpan[];
  leftOut: LeftOut[];
  host: string | null;
  site: Site | null;
};

/** A page without its name, and the step whose document has it. */
type PageSpan = Omit<PageGroup, 'name'> & { document: number };

type Choices = Pick<TrafficChoices, 'staticFiles' | 'thirdParties'>;

/**
 * The first document's host is the one that a scenario is about; its other ports and the other scheme belong to it.
 * A page is a document and what follows it until the next one; a redirect begins the page that it leads to.
 */
function selectExchanges(exchanges: readonly Exchange[], choices: Choices): Selection {
  const first = exchanges.find(({ resourceType }) => resourceType === 'document') ?? exchanges[0];
  const host = hostOf(first);
  const kept: Exchange[] = [];
  const pages: PageSpan[] = [];
  const statics = openCount('static_file');
  const thirdParties = openCount('third_party');
  let page: PageSpan | null = null;
  let redirected = false;
  for (const exchange of exchanges) {
    if (hostOf(exchange) !== host && !choices.thirdParties) {
      thirdParties.add(hostOf(exchange) ?? '');
      if (page !== null) page.thirdParties += 1;
      continue;
    }
    if (isStatic(exchange.resourceType) && !choices.staticFiles) {
      statics.add(exchange.resourceType);
      if (page !== null) page.staticFiles += 1;
      continue;
    }
    const isDocument = exchange.resourceType === 'document';
    if (page === null || (isDocument && !redirected)) {
      page = { firstStep: kept.length, document: kept.length, steps: 0, staticFiles: 0, thirdParties: 0 };
      pages.push(page);
    }
    if (isDocument && redirected) page.document = kept.length;
    page.steps += 1;
    kept.push(exchange);
    if (isDocument) redirected = exchange.status >= 300 && exchange.status < 400;
  }
  return { kept, pages, leftOut: [...statics.result(), ...thirdParties.result()], host, site: siteOf(first) };
}

function openCount(reason: LeftOut['reason']) {
  const what = new Set<string>();
  let count = 0;
  return {
    add(name: string) {
      count += 1;
      if (what.size < 20) what.add(name);
    },
    result: (): LeftOut[] => (count === 0 ? [] : [{ reason, count, what: [...what].sort() }]),
  };
}

function siteOf(exchange: Exchange | undefined): Site | null {
  return siteSchema.safeParse(exchange?.origin).data ?? null;
}

function hostOf(exchange: Exchange | undefined): string | null {
  return exchange === undefined ? null : (URL.parse(exchange.origin)?.hostname ?? null);
}

/** Its title, or its path. */
function pageNameOf({ responseBody, path }: Exchange): string {
  const title = /<title\b[^<>]{0,200}>([^<]{1,300})/i.exec(responseBody ?? '')?.[1];
  const name = title?.replace(/\s+/g, ' ').trim();
  return (name ? name : (path.split('?', 1)[0] ?? '/')).slice(0, 60);
}
