import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { problem } from '../../../shared/base/problem.ts';
import { printNumber, printWholePercent } from '../../../shared/base/quantity.ts';
import { type LoggedTraffic, openAccessLog } from '../../../shared/kinds/prices/access-log.ts';
import { reportTraffic } from '../../../shared/report/traffic-report.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { verb } from './verb.ts';

const options = verb('traffic')
  .description(
    'Reads the traffic of a server from its access log: requests per second, response sizes, requests per connection, and the share of returning visitors. Names what the log lacks, and the directive that adds it.',
  )
  .argument('<file>', 'Access log, also as .gz; - for standard input')
  .option(
    '--log-format <format>',
    'combined, json, haproxy, envoy, or a format string of nginx, Apache, or Envoy (default: auto-detect)',
  )
  .option('--json', 'Print JSON');

export async function traffic(args: string[]): Promise<number> {
  const [path] = options.parse(args, { from: 'user' }).processedArgs;
  const { logFormat = null, json = false } = options.opts();
  const found = await readAccessLog(path, logFormat);
  process.stdout.write(json ? `${JSON.stringify(found)}\n` : printTerminal(reportTraffic(found)));
  return 0;
}

/**
 * Streams the log at the path, or standard input for `-`, with its progress on a terminal's standard error.
 *
 * @param format a name, or a format string; null to find out
 * @throws invalid_request, file_unreadable, import_unreadable
 */
export async function readAccessLog(path: string, format: string | null): Promise<LoggedTraffic> {
  const log = openAccessLog(format);
  const progress = openProgress(log.traffic, path === '-' ? 0 : await sizeOf(path));
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      progress.add(chunk.length);
      yield chunk;
    }
  }
  async function read(chunks: AsyncIterable<Buffer>): Promise<void> {
    // Separators and figures are ASCII in every encoding of a log, and no cut can break a character of this one.
    for await (const chunk of chunks) log.write(chunk.toString('latin1'));
  }
  const source = path === '-' ? process.stdin : createReadStream(path);
  try {
    if (path.endsWith('.gz')) await pipeline(source, counted, createGunzip(), read);
    else await pipeline(source, counted, read);
  } catch (error) {
    throw isOfZlib(error) ? brokenGzip(path) : problemOfError('file_unreadable', path, error);
  } finally {
    progress.end();
  }
  return log.end();
}

/** Size in bytes, 0 for a pipe. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw problemOfError('file_unreadable', path, error);
  }
}

function isOfZlib(error: unknown): boolean {
  return /^Z_/.test(String((error as NodeJS.ErrnoException).code));
}

function brokenGzip(path: string) {
  return problem('file_unreadable', {
    detail: `${path} is not a whole gzip file.`,
    advice: 'Compress it again, or unpack it and give the log itself.',
  });
}

const progressEveryMs = 250;

/** A line on a terminal that overwrites itself. */
function openProgress(traffic: () => LoggedTraffic, totalBytes: number) {
  const { stderr } = process;
  let readBytes = 0;
  let printedAt = performance.now();
  return {
    add(bytes: number) {
      readBytes += bytes;
      if (!stderr.isTTY || performance.now() - printedAt < progressEveryMs) return;
      printedAt = performance.now();
      const share = totalBytes === 0 ? '' : ` (${printWholePercent(readBytes / totalBytes)})`;
      stderr.write(
        `\r\u001b[KRead ${printNumber(readBytes / 1e6, 0)} MB${share}, ${printNumber(traffic().lines, 0)} lines`,
      );
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
