import { methodSchema } from '../../../../../shared/scenario/scenario.ts';
import { asBytes } from '../../as-bytes.ts';
import type { DraftRequest } from '../../draft-request.ts';
import { openYield } from '../../yield-limit.ts';
import { ImportProblem } from '../import-problem.ts';
import type { ReadCommand } from '../read-commands.ts';
import { headerProblem } from '../request-headers.ts';
import { importProblem, newSession, type Option, readStatement, type Session } from './read-statement.ts';
import { writtenStatements } from './written-statements.ts';

const longestHeader = 8192;

/** The statements of a text that Chrome, Edge or Firefox copied as PowerShell. */
export function* readWebRequests(text: string): Generator<ReadCommand> {
  const take = openYield();
  const session = newSession();
  for (const written of writtenStatements(text)) {
    const { line } = written;
    try {
      const options = readStatement(written, session);
      if (options === null) continue;
      const request = requestOf(options, session, line);
      take(line, request);
      yield { line, requests: [request], reasons: [] };
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      yield { line, requests: [], reasons: [error.message] };
    }
  }
}

function requestOf(options: ReadonlyMap<string, Option>, session: Session, line: number): DraftRequest {
  const address = options.get('-uri')?.text ?? '';
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) throw importProblem('has no HTTP or HTTPS address');
  const path = pathOf(address);
  const method = methodSchema.safeParse(options.get('-method')?.text ?? 'GET');
  if (!method.success) throw importProblem('has a method that is not supported');
  const body = bodyOf(options.get('-body'), method.data);
  const headers: [string, string][] = [
    ...(options.get('-headers')?.headers ?? []),
    ...(options.has('-websession') ? sessionHeaders(session, url.hostname) : []),
    ...typeOf(options.get('-contenttype')?.text, body),
  ].map(([name, value]) => [name, asBytes(value)]);
  if (!headers.some(([name]) => name.toLowerCase() === 'accept')) {
    throw importProblem('has no Accept header, which a run sends with every request');
  }
  const problem = headers.map(headerProblem).find((each) => each !== null);
  if (problem) throw importProblem(`cannot be sent: ${problem.replace(/\.$/, '')}`);
  return { line, method: method.data, url: url.origin, path, headers, body };
}

/** .NET rewrites an address that is not in its own encoding. */
function pathOf(address: string): string {
  const [whole = ''] = address.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1);
  const path = whole.startsWith('/') ? whole : `/${whole}`;
  const isKept =
    /^(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9A-F]{2})*$/.test(path) && !/\/\.{1,2}(?:[/?]|$)/.test(path);
  const isMinimal = !/%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/.test(path);
  if (!isKept || !isMinimal) {
    throw importProblem('has an address that PowerShell would change: copy it as cURL (bash)');
  }
  return path;
}

function bodyOf(option: Option | undefined, method: DraftRequest['method']): string | null {
  if (option === undefined) return null;
  if (method === 'GET' || method === 'HEAD') throw importProblem(`has a body with ${method}`);
  if (!option.isUtf8 && /[^\t\n\r -~]/.test(option.text)) {
    throw importProblem('has a body that versions of PowerShell encode differently');
  }
  return option.text;
}

function typeOf(type: string | undefined, body: string | null): [string, string][] {
  if (type !== undefined) return [['content-type', type]];
  return body === null ? [] : [['content-type', 'application/x-www-form-urlencoded']];
}

function sessionHeaders({ userAgent, cookies, cookiesLength }: Session, host: string): [string, string][] {
  if (cookiesLength > longestHeader)
    throw importProblem('cannot be sent: The header cookie is longer than 8,192 bytes');
  const isOf = (domain: string) => `.${host}`.endsWith(`.${domain.replace(/^\./, '')}`);
  if (cookies.some(({ domain }) => !isOf(domain))) throw importProblem('has a cookie for another host');
  const pairs = cookies.map(({ name, value }) => `${name}=${value}`);
  return [
    ...(userAgent === null ? [] : [['user-agent', userAgent] satisfies [string, string]]),
    ...(pairs.length === 0 ? [] : [['cookie', pairs.join('; ')] satisfies [string, string]]),
  ];
}
