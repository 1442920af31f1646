import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { RequestHandler, Response } from 'express';

/**
 * An access log on disk as a web server in production keeps it: lines in common log format with the duration in
 * µs at the end, gathered in memory and appended when there are 4 KiB of them, a page of the disk's cache, or
 * 100 ms have passed: often enough for the disk traffic of a slot of a third of a second to mean something. A full file takes the name `*.1` in place of the one before, so that a log never takes more than twice its limit.
 */
export type AccessLog = {
  add(entry: AccessEntry): void;
  close(): void;
};

export type AccessEntry = {
  address: string;
  method: string;
  target: string;
  version: string;
  status: number;
  bodyBytes: number;
  durationUs: number;
};

const gatheredBytes = 4096;
const longestWaitMs = 100;

export function openAccessLog(path: string, limitBytes = 4 * 1024 * 1024): AccessLog {
  let file = openSync(path, 'a', 0o600);
  let size = statSync(path).size;
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  let failed = false;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const bytes = Buffer.from(lines, 'latin1');
    lines = '';
    try {
      if (size > 0 && size + bytes.length > limitBytes) rotate();
      size += writeSync(file, bytes);
      failed = false;
    } catch (error) {
      // A shop goes on selling when its log cannot be written; it says so once.
      if (!failed) console.error(`The access log ${path} cannot be written: ${String(error)}`);
      failed = true;
    }
  }

  function rotate(): void {
    if (existsSync(path)) renameSync(path, `${path}.1`);
    const next = openSync(path, 'a', 0o600);
    closeSync(file);
    file = next;
    size = 0;
  }

  return {
    add(entry) {
      lines += printEntry(entry);
      if (lines.length >= gatheredBytes) flush();
      else timer ??= setTimeout(flush, longestWaitMs).unref();
    },
    close() {
      if (lines !== '') flush();
      closeSync(file);
    },
  };
}

function printEntry({
  address,
  method,
  target,
  version,
  status,
  bodyBytes,
  durationUs,
}: AccessEntry): string {
  const request = `${method} ${target} HTTP/${version}`.replace(unprintable, escapeByte);
  return `${address} - - [${timeNow()}] "${request}" ${status} ${bodyBytes} ${durationUs}\n`;
}

const unprintable = /["\\]|[^\x20-\x7e]/g;

function escapeByte(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let printedSecond = -1;
let printedTime = '';

/** `21/Nov/2026:02:45:14 +0000`, printed once a second. */
function timeNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second === printedSecond) return printedTime;
  const iso = new Date(second * 1000).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1];
  printedSecond = second;
  printedTime = `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
  return printedTime;
}

/** Data that is kept about a request while it is answered. */
type Exchange = {
  /** `performance.now()` when the application was given the request. */
  receivedAt: number;
  bodyBytes: number;
};

/** First in line: notes the time, and writes the request into the log when its answer is out. */
export function receive(accessLog: AccessLog): RequestHandler {
  return (request, response, next) => {
    const receivedAt = performance.now();
    const exchange = Object.assign(response.locals, { receivedAt, bodyBytes: 0 } satisfies Exchange);
    const address = request.socket.remoteAddress ?? '-';
    response.once('close', () => {
      accessLog.add({
        address,
        method: request.method,
        target: loggedTarget(request.originalUrl, response.statusCode),
        version: request.httpVersion,
        status: response.statusCode,
        bodyBytes: exchange.bodyBytes,
        durationUs: Math.round((performance.now() - receivedAt) * 1000),
      });
    });
    next();
  };
}

/** Sends a whole body, with the time that the application took to make it in Server-Timing. */
export function send(
  response: Response,
  status: number,
  body: Buffer | null,
  headers: Record<string, string> = {},
): void {
  const exchange = response.locals as Exchange;
  const tookMs = performance.now() - exchange.receivedAt;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Server-Timing', `app;dur=${tookMs.toFixed(3)}`);
  if (body === null) {
    response.end();
  } else {
    exchange.bodyBytes = response.req.method === 'HEAD' ? 0 : body.length;
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

/**
 * A request target without what a visitor put into it, which may be a secret: values of the query, and a path that the
 * shop does not have. As long as before, so that the log weighs on the disk what it always did.
 */
export function loggedTarget(target: string, status: number): string {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const shown = status === 404 ? path.replace(/[^/]/g, 'x') : path;
  return at < 0
    ? shown
    : `${shown}?${target
        .slice(at + 1)
        .split('&')
        .map(hideValue)
        .join('&')}`;
}

/** A field without “=” has no name, so all of it is hidden. */
function hideValue(field: string): string {
  const at = field.indexOf('=');
  return field.slice(0, at + 1) + field.slice(at + 1).replace(/[^=]/g, 'x');
}
