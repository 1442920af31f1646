import { type Token, Unreadable } from './tokens.ts';

/** What a browser copies as PowerShell: the parts of a session, and the request that uses it. */
export type Statement =
  | { is: 'session' }
  | { is: 'user agent'; value: string }
  | { is: 'cookie'; name: string; value: string; domain: string }
  | { is: 'request'; options: Map<string, Option> };

/** Of -Headers a list, of -Body a text, and whether it is given as bytes of UTF-8. */
export type Option = { text: string; headers: [name: string, value: string][]; isUtf8: boolean };

/** Reads the tokens of one statement. Throws Unreadable for anything that browsers do not copy. */
export function readStatement(tokens: readonly Token[]): Statement {
  let at = 0;
  const first = word();
  if (/^invoke-webrequest$/i.test(first)) return { is: 'request', options: readOptions() };
  const [variable = '', ...members] = first.split('.');
  const member = members.join('.').toLowerCase();
  if (!variable.startsWith('$')) throw new Unreadable('is not in the form that browsers copy');
  if (member === 'useragent') {
    mark('=');
    return { is: 'user agent', value: string() };
  }
  if (member === 'cookies.add') return readCookie();
  mark('=');
  if (
    !/^new-object$/i.test(word()) ||
    !/^microsoft\.powershell\.commands\.webrequestsession$/i.test(word())
  ) {
    throw new Unreadable('sets a variable to something other than a session');
  }
  return { is: 'session' };

  function readCookie(): Statement {
    mark('(');
    mark('(');
    if (!/^new-object$/i.test(word()) || !/^system\.net\.cookie$/i.test(word())) {
      throw new Unreadable('adds something other than a cookie');
    }
    mark('(');
    const [name, value, path, domain] = [string(), after(','), after(','), after(',')];
    if (path !== '/') throw new Unreadable('adds a cookie for some paths only');
    for (let brackets = 0; brackets < 3; brackets++) mark(')');
    return { is: 'cookie', name, value, domain };
  }

  function readOptions(): Map<string, Option> {
    const options = new Map<string, Option>();
    while (at < tokens.length) {
      const name = word().toLowerCase();
      options.set(name, { text: '', headers: [], isUtf8: false, ...readValue(name) });
    }
    return options;
  }

  function readValue(name: string): Partial<Option> {
    switch (name) {
      case '-usebasicparsing':
        return {};
      case '-uri':
      case '-contenttype':
        return { text: string() };
      case '-method':
      case '-websession':
        return { text: tokens[at]?.kind === 'string' ? string() : word() };
      case '-headers':
        return { headers: readHeaders() };
      case '-body':
        return readBody();
      default:
        throw new Unreadable(`has the option ${name.slice(0, 30)}, which browsers do not copy`);
    }
  }

  function readHeaders(): [string, string][] {
    const headers: [string, string][] = [];
    mark('@{');
    while (tokens[at]?.text !== '}') {
      const name = string();
      mark('=');
      headers.push([name, string()]);
    }
    mark('}');
    return headers;
  }

  function readBody(): Partial<Option> {
    if (tokens[at]?.text !== '(') return { text: string() };
    mark('(');
    if (!/^\[system\.text\.encoding\]::utf8\.getbytes$/i.test(word())) {
      throw new Unreadable('has a body that is computed');
    }
    mark('(');
    const text = string();
    mark(')');
    mark(')');
    return { text, isUtf8: true };
  }

  function after(separator: string): string {
    mark(separator);
    return string();
  }

  function string(): string {
    const token = tokens[at];
    at += 1;
    if (token?.kind !== 'string') throw new Unreadable('is not in the form that browsers copy');
    if (token.fault !== null) throw new Unreadable(token.fault);
    return token.text;
  }

  function word(): string {
    const token = tokens[at];
    at += 1;
    if (token?.kind !== 'word') throw new Unreadable('is not in the form that browsers copy');
    return token.text;
  }

  function mark(text: string): void {
    const token = tokens[at];
    at += 1;
    if (token?.kind !== 'mark' || token.text !== text) {
      throw new Unreadable('is not in the form that browsers copy');
    }
  }
}
