import { problem } from '../../../shared/problem.ts';
import { recordingLimits, type Unsupported } from '../../../shared/recording.ts';
import { escapeTemplate } from '../../scenario/template.ts';
import type { DraftRequest } from '../draft-request.ts';
import { openYield } from '../yield-limit.ts';
import { type JarUse, jarUseOf, openCookieJars } from './cookie-jars.ts';
import { type Program, programOf } from './program-of.ts';
import { type Hearer, readOptions } from './read-options.ts';
import { requestsOf } from './requests-of.ts';
import type { CurlSettings } from './settings.ts';
import type { ShellCommand, Word } from './shell/shell-command.ts';
import { shellCommands, withLineFeeds } from './shell/shell-commands.ts';
import { readWebRequests } from './web-request/read-web-requests.ts';

export type CurlCommands = {
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Whether the commands keep cookies in a file, as a scenario does in its jar. */
  keepsCookies: boolean;
};

/** Many times the steps of a scenario. */
const mostRequests = 1000;

const mostHints = 100;

/** Nobody reads a longer list. */
const mostUnsupported = 1000;

/**
 * The requests of one or more curl command lines, each as curl would send it. If that is not certain, the command is left out
 * and listed with its reasons. Throws import_unreadable when there is no curl command.
 */
export function parseCurl(text: string): CurlCommands {
  if (isWebRequest(text)) return parseWebRequests(text);
  const commands = shellCommands(text).map((command) => ({ command, program: programOf(command) }));
  if (!commands.some(({ program }) => isCurl(program))) throw noCurl();
  const limits = openLimits();
  const read = commands.map(({ command, program }) =>
    isCurl(program)
      ? readCommand(command, program, limits)
      : { ...nothing, line: command.line, reasons: whySkipped(command, program) },
  );
  const jars = openCookieJars(read.flatMap(({ uses }) => uses));
  const unsupported = openList();
  const requests: DraftRequest[] = [];
  for (const each of read) {
    const fault = each.isRefused ? null : jars.faultOf(each.uses);
    const isLeftOut = each.isRefused || fault !== null;
    if (isLeftOut) jars.leaveOut(each.uses);
    for (const reason of fault === null ? each.reasons : [fault]) unsupported.add(each.line, reason);
    if (!isLeftOut) for (const request of each.requests) requests.push(request);
  }
  return { ...limited(requests, unsupported), keepsCookies: jars.keepsCookies };
}

/** Text that browsers copy as PowerShell does not mention curl. */
function isWebRequest(text: string): boolean {
  return /^[ \t]*Invoke-WebRequest\b/im.test(text) && !/^[^\n"']{0,200}\bcurl(?:\.exe)?\s/im.test(text);
}

function parseWebRequests(text: string): CurlCommands {
  const read = readWebRequests(withLineFeeds(text));
  const unsupported = openList();
  for (const { line, reason } of read.unsupported) unsupported.add(line ?? 1, reason);
  return { ...limited(read.requests, unsupported), keepsCookies: false };
}

function limited(requests: readonly DraftRequest[], unsupported: ReturnType<typeof openList>) {
  const [first] = requests.slice(mostRequests);
  if (first !== undefined) unsupported.close(first.line, leftOut(requests.length - mostRequests));
  return { requests: requests.slice(0, mostRequests).map(asTemplate), unsupported: unsupported.all() };
}

function leftOut(count: number): string {
  return `From this line on, ${count} requests are left out, because a scenario cannot have that many steps.`;
}

/** Of a whole text. */
function openLimits() {
  let announced = 0;
  let explained = 0;
  return {
    take: openYield(),
    /** Throws import_unreadable when the requests become too many. */
    announce(count: number, line: number): void {
      announced += count;
      if (announced <= recordingLimits.exchanges) return;
      const most = recordingLimits.exchanges;
      throw problem(
        'import_unreadable',
        `Line ${line}: a text may have ${most} requests, and this one has more.`,
      );
    },
    /** A reason that takes time to write, with a hint for the first ones. */
    explain(reason: (hints: boolean) => string): string {
      explained += 1;
      return reason(explained <= mostHints);
    },
  };
}

/** The result of a command. */
type ReadCommand = {
  line: number;
  requests: DraftRequest[];
  uses: JarUse[];
  /** In sentences: why it is left out, or what differs. */
  reasons: string[];
  isRefused: boolean;
};

const nothing = { requests: [], uses: [], isRefused: false };

/** Of one command. */
const mostReasons = 20;

function isCurl({ name }: Program): boolean {
  return name === 'curl';
}

function readCommand(
  { line, stdin, faults }: ShellCommand,
  { args, environment }: Program,
  limits: ReturnType<typeof openLimits>,
): ReadCommand {
  const refused = new Set<string>();
  const notes = new Set<string>();
  const hearer: Hearer = {
    refuse(reason) {
      if (refused.size >= mostReasons) return;
      refused.add(typeof reason === 'string' ? reason : limits.explain(reason));
    },
    note: (reason) => notes.add(reason),
    announce: (count) => limits.announce(count, line),
    take: (request) => limits.take(line, request),
  };
  for (const fault of faults) hearer.refuse(`The command ${fault}.`);
  if (environment.some((name) => /_proxy$/i.test(name))) {
    hearer.refuse('The command sets a proxy. A run connects to its target directly.');
  }
  const read = readOptions(args, stdin, hearer).map((settings) => {
    noteRedirects(settings, hearer);
    return { settings, requests: requestsOf(settings, line, hearer) };
  });
  return {
    line,
    requests: read.flatMap(({ requests }) => requests),
    uses: read.map(({ settings, requests }) => jarUseOf(settings, requests.length)),
    reasons: [...(refused.size > 0 ? refused : notes)],
    isRefused: refused.size > 0,
  };
}

function noteRedirects({ follow }: CurlSettings, { note }: Hearer): void {
  if (follow !== null)
    note(`${follow} is ignored: add each redirect as its own step so that it is measured.`);
}

/** curl has no variables of a scenario: what looks like one is text. */
function asTemplate(request: DraftRequest): DraftRequest {
  const { path, headers, body } = request;
  return {
    ...request,
    ...(path === undefined ? {} : { path: escapeTemplate(path) }),
    headers: headers.map(([name, value]) => [name, escapeTemplate(value)]),
    body: body === null ? null : escapeTemplate(body),
  };
}

/** Setting a variable needs no mention unless it runs a command, and `:` does nothing. */
function whySkipped({ words }: ShellCommand, { name }: Program): string[] {
  if (name === null || name === ':')
    return words.some(runsCommand)
      ? ['A variable is set to the output of a command, which an import does not run.']
      : [];
  const isPlain = /^[\w.+-]{1,40}$/.test(name);
  return [isPlain ? `“${name}” is not curl and was skipped.` : 'A command that is not curl was skipped.'];
}

function runsCommand({ faults }: Word): boolean {
  return faults.some((fault) => fault.includes('whose output'));
}

function openList() {
  const list: Unsupported[] = [];
  let more = 0;
  return {
    add(line: number, reason: string): void {
      if (list.length < mostUnsupported) list.push({ line, reason });
      else more += 1;
    },
    /** Adds to a list that is full, too. */
    close(line: number, reason: string): void {
      list.push({ line, reason });
    },
    all: (): Unsupported[] =>
      more === 0
        ? list
        : [...list, { line: null, reason: `${more} more lines were left out and are not listed.` }],
  };
}

function noCurl() {
  return problem('import_unreadable', 'The text contains no curl command.');
}
