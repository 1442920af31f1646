import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { RequestHandler, Response } from 'express';
import type { Category } from './procedures.ts';

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

/** What is kept about a request while it is answered. */
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

/** What stands alone is no name. */
function hideValue(field: string): string {
  const at = field.indexOf('=');
  return field.slice(0, at + 1) + field.slice(at + 1).replace(/[^=]/g, 'x');
}

/** Small drawings inside the pages, as shops have them: no request of their own, and the same markup over and over. */

export const parcelIcon = icon(
  'parcel',
  '<path d="M3 7.5 12 3l9 4.5v9L12 21l-9-4.5z"/><path d="M3 7.5 12 12l9-4.5M12 12v9M7.5 5.25l9 4.5"/>',
);

export const basketIcon = icon(
  'basket',
  '<path d="M3 10h18l-2 10H5z"/><path d="M8 10l3-6M16 10l-3-6M9 13v4M12 13v4M15 13v4"/>',
);

export const clockIcon = icon('clock', '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>');

const star = 'M12 2.6l2.9 6.1 6.7.9-4.9 4.6 1.2 6.7-5.9-3.2-5.9 3.2 1.2-6.7L2.4 9.6l6.7-.9z';

/** Five stars, so many of them filled; drawn once for each number. */
const rows = [0, 1, 2, 3, 4, 5].map((filled) =>
  Array.from({ length: 5 }, (_, place) =>
    icon(place < filled ? 'star is-filled' : 'star', `<path d="${star}"/>`),
  ).join(''),
);

export function renderStars(filled: number): string {
  return rows[filled] ?? '';
}

function icon(name: string, shapes: string): string {
  return `<svg class="icon ${name}" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">${shapes}</svg>`;
}

type Page = {
  /** Plain text. */
  title: string;
  categories: readonly Category[];
  /** HTML. */
  content: string;
};

/**
 * The frame of every page. Nothing in it tells the time, the host or the transport: the same request gets the
 * same bytes from every process.
 */
export function renderLayout({ title, categories, content }: Page): string {
  return `${head(escapeHtml(title))}
<div class="columns">
<nav class="menu" aria-label="Departments">
<h2>Departments</h2>
<ul>
${categories.map(menuEntry).join('\n')}
</ul>
</nav>
<main id="content">
${content}
</main>
</div>
${foot}`;
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Quiet Street Supplies</title>
<meta name="description" content="Quiet Street Supplies: everything for people who would rather not be noticed.">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="stylesheet" href="/assets/site.css">
<script src="/assets/offers.js" defer></script>
<script src="/assets/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the goods</a>
<header class="top">
<a class="brand" href="/"><img src="/assets/logo.svg" alt="Quiet Street Supplies" width="180" height="40"></a>
<p class="offer" id="offer">Free delivery from 50.00 on.</p>
<ul class="tabs">
<li><a href="/">Home</a></li>
<li><a href="/search">Search</a></li>
<li><a href="/account">Your account</a></li>
</ul>
</header>`;
}

function menuEntry({ id, name, product_count: count }: Category): string {
  return `<li><a href="/search?category=${id}"><img src="/assets/category-${id}.svg" alt="" width="24" height="24">
<span class="menu-name">${escapeHtml(name)}</span> <span class="menu-count" title="Products in this department">${count}</span></a></li>`;
}

const foot = `<footer class="bottom">
<section>
<h2>Delivery</h2>
<p>Parcels leave our house on Quiet Street every working day at four in the afternoon. Small ones arrive the day after,
large ones within three working days, boats by arrangement. Nothing on the outside says what is within.</p>
</section>
<section>
<h2>Returns</h2>
<p>Whatever does not suit you comes back within thirty days, used or not, and we send the money back by the way it came.
We ask for no reason, though a good story is always welcome and the best one of each month is read aloud.</p>
</section>
<section>
<h2>The shop</h2>
<p>Open from nine to six, Monday to Saturday. Ring twice, wait, and ring once more. Dogs are welcome if they can keep a
secret. Prices include tax and are given in the money of the place that the parcel goes to.</p>
</section>
<p class="small">Quiet Street Supplies is a demonstration. Nothing here is for sale and nothing is ever delivered.</p>
</footer>
</body>
</html>
`;

const special = /[&<>"']/g;
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(special, (character) => entities[character] ?? character);
}
