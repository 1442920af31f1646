import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasuringEngine } from '../../../shared/engine.ts';
import type { Generator } from '../start-generator.ts';
import { demandListeners } from './demand-listeners.ts';
import { findK6 } from './find-k6.ts';
import { generatorOfCrew } from './generator-of-crew.ts';
import { authoritiesOf, scriptOf } from './pairs-of.ts';
import { readSample } from './read-sample.ts';
import type { CrewPlace } from './start-crew.ts';
import { type K6Process, startK6 } from './start-k6.ts';

/** k6 compiles the script once for each virtual user. */
const startMs = 60_000;

/** k6 of this machine. Throws k6_unusable. */
export async function startK6Generator(
  processes: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Generator & { readonly engine: MeasuringEngine }> {
  const version = await findK6(signal);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-k6-'));
  return generatorOfCrew(
    {
      engine: { name: 'k6', version },
      demandListeners,
      placeOf(configuration) {
        const { listeners, connections } = configuration;
        return {
          ...{ desk: null, startMs },
          start: (control, take) =>
            startSegments(scriptOf(configuration, { control, requestsPerS: null }), take, {
              processes: Math.min(processes, connections),
              ca: writeAuthorities(directory, authoritiesOf(listeners)),
            }),
        };
      },
      close: () => rmSync(directory, { recursive: true, force: true }),
    },
    signal,
  );
}

async function startSegments(
  script: string,
  take: Parameters<CrewPlace['start']>[1],
  { processes, ca }: { processes: number; ca: string | null },
): ReturnType<CrewPlace['start']> {
  const crew: K6Process[] = [];
  const stop = async () => {
    await Promise.all(crew.map((each) => each.stop()));
  };
  const read = (line: string) => {
    const sample = readSample(line);
    return sample === null ? null : take(sample);
  };
  try {
    for (let index = 0; index < processes; index++) {
      crew.push(await startK6(script, { segment: { index, of: processes }, ca }, read));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const failed = Promise.race(crew.map((each) => each.failed));
  failed.catch(() => {});
  return { pids: crew.map(({ pid }) => pid), failed, stop };
}

function writeAuthorities(directory: string, authorities: string | null): string | null {
  if (authorities === null) return null;
  const file = join(directory, 'authorities.pem');
  writeFileSync(file, authorities, { mode: 0o600 });
  return file;
}
