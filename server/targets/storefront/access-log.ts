import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

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
