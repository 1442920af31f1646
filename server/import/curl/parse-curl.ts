import { problem } from '../../../shared/problem.ts';
import type { RecordedHeaders, Unsupported } from '../../../shared/recording.ts';
import { methodSchema } from '../../../shared/scenario.ts';
import { basicCredentials, type DraftRequest } from '../draft-request.ts';
import { type curlOptions, readOptions } from './curl-options.ts';
import { type Command, shellWords } from './shell-words.ts';

/**
 * The requests of one or more curl command lines. Options that change nothing in a scenario are read over; those that
 * would change it and cannot be kept are named. Throws import_unreadable when there is no curl command.
 */
export function parseCurl(text: string): { requests: DraftRequest[]; unsupported: Unsupported[] } {
  const commands = shellWords(text.slice(0, 2_000_000));
  if (!commands.some(isCurl)) throw problem('import_unreadable', 'The text contains no curl command.');
  const unsupported: Unsupported[] = [];
  const requests = commands.flatMap((command) => {
    if (isCurl(command)) return readCommand(command, unsupported);
    unsupported.push({ line: command.line, reason: `“${command.words[0]}” is not curl and was skipped.` });
    return [];
  });
  return { requests, unsupported };
}

function isCurl({ words }: Command): boolean {
  return /^curl(\.exe)?$/i.test(words[0] ?? '');
}

function readCommand({ line, words }: Command, unsupported: Unsupported[]): DraftRequest[] {
  const refuse = (reason: string) => unsupported.push({ line, reason });
  const { urls, settings } = readOptions(words.slice(1), refuse);
  if (settings.incomplete) return [];
  const body = bodyOf(settings.data);
  const asQuery = settings.asQuery && body !== null;
  const said = settings.method ?? (settings.head ? 'HEAD' : body !== null && !asQuery ? 'POST' : 'GET');
  const method = methodSchema.safeParse(said.toUpperCase());
  if (!method.success) {
    refuse(`The method ${said} is not supported.`);
    return [];
  }
  if (urls.length === 0) refuse('The command has no URL.');
  if (settings.follow) refuse('-L is ignored: add each redirect as its own step so that it is measured.');
  return urls.map((url) => ({
    line,
    method: method.data,
    url: withQuery(/^[a-z][\w+.-]*:\/\//i.test(url) ? url : `http://${url}`, asQuery ? body : null),
    headers: headersOf(settings, asQuery ? null : body),
    body: asQuery ? null : body,
    expectStatus: 200,
    isPage: false,
  }));
}

export type CurlSettings = ReturnType<typeof curlOptions>;

/** Several -d are joined with &. */
function bodyOf(data: string[]): string | null {
  return data.length === 0 ? null : data.join('&');
}

function withQuery(url: string, query: string | null): string {
  if (query === null) return url;
  return url + (url.includes('?') ? '&' : '?') + query;
}

function headersOf(settings: CurlSettings, body: string | null): RecordedHeaders {
  const headers: RecordedHeaders = [...settings.headers];
  const has = (name: string) => headers.some(([candidate]) => candidate.toLowerCase() === name);
  if (settings.json) {
    if (!has('content-type')) headers.push(['content-type', 'application/json']);
    if (!has('accept')) headers.push(['accept', 'application/json']);
  } else if (body !== null && !has('content-type')) {
    headers.push(['content-type', 'application/x-www-form-urlencoded']);
  }
  if (settings.user !== null && !has('authorization')) {
    headers.push(['authorization', basicCredentials(settings.user)]);
  }
  return headers;
}
