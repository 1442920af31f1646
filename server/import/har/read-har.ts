import { problem } from '../../../shared/problem.ts';
import { type Exchange, recordingLimits, type Unsupported } from '../../../shared/recording.ts';
import { JsonTrouble, openJsonItems } from './json-items.ts';
import { readHarEntry } from './read-har-entry.ts';

export const harLimitBytes = 64 * 1024 * 1024;

export type Har = { exchanges: Exchange[]; unsupported: Unsupported[]; notes: string[] };

/**
 * Reads a HAR as it comes, and keeps of it what a scenario may need. Either all of it is read or nothing: a broken,
 * truncated or oversized HAR throws import_unreadable with the entry.
 */
export async function readHar(chunks: AsyncIterable<Uint8Array>): Promise<Har> {
  const gathered = openGathering();
  const reader = openJsonItems(['log', 'entries'], gathered.add);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > harLimitBytes) {
        throw problem('import_unreadable', `The HAR is larger than ${harLimitBytes / 1024 / 1024} MiB.`);
      }
      reader.write(chunk);
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof JsonTrouble)) throw error;
    const where = error.item === null ? 'The HAR' : `Entry ${error.item} of the HAR`;
    throw problem('import_unreadable', `${where} ${error.message}.`);
  }
  if (!reader.found) throw problem('import_unreadable', 'The file is JSON, but it has no log.entries.');
  return gathered.finish();
}

function openGathering() {
  const exchanges: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  let bodiesLength = 0;
  let bodiesDropped = 0;

  return {
    add(value: unknown, number: number): void {
      if (number > recordingLimits.exchanges) {
        throw problem(
          'import_unreadable',
          `Entry ${number}: a HAR may have ${recordingLimits.exchanges} entries, and this one has more. Record less at a time.`,
        );
      }
      const entry = readHarEntry(value, number);
      if ('reason' in entry) {
        unsupported.push({ line: number, reason: `Entry ${number} ${entry.reason}.` });
        return;
      }
      const { exchange } = entry;
      const length = exchange.responseBody?.length ?? 0;
      const kept = bodiesLength + length <= recordingLimits.responseBodiesLength;
      if (kept) bodiesLength += length;
      else bodiesDropped += 1;
      exchanges.push(kept ? exchange : { ...exchange, responseBody: null });
    },

    finish(): Har {
      const first = exchanges.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Infinity);
      const ordered = exchanges
        .map((exchange) => ({ ...exchange, startedAtMs: exchange.startedAtMs - first }))
        .sort((a, b) => a.startedAtMs - b.startedAtMs || a.number - b.number);
      const notes =
        bodiesDropped === 0
          ? []
          : [`${bodiesDropped} large responses were not searched for values that later requests send.`];
      return { exchanges: ordered, unsupported, notes };
    },
  };
}
