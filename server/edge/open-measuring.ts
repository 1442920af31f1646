import type { Environment } from '../../shared/base/environment.ts';
import { openHostTurns } from '../base/addresses/open-host-turns.ts';
import type { ConfiguredHouse, House } from '../kinds/house.ts';
import type { Database } from '../life/database/open-database.ts';
import { runnableScenario } from '../life/library/runnable-scenario.ts';
import type { NoteLoad } from '../life/measurement/create/origin.ts';
import type { Measurements } from '../life/measurement/measurements.ts';
import { openMeasurements } from '../life/measurement/open-measurements.ts';
import { openMachineQueue } from '../life/measurement/queue/machine-queue.ts';
import { openStopSwitch } from '../life/measurement/queue/stop-switch.ts';
import { addressesOf } from '../life/permits/addresses-of.ts';
import { openPermits } from '../life/permits/open-permits.ts';
import { sweepRecordings } from '../targets/sampling/perf/private-directory.ts';
import { allKinds } from './all-kinds.ts';
import { openPast } from './past/open-past.ts';

type MeasuringOptions = {
  config: ConfiguredHouse & { targets: string[] };
  database: Database;
  environment: Environment;
  onError(error: unknown): void;
};

type Begun = Omit<
  Parameters<typeof openMeasurements<House>>[0],
  keyof MeasuringOptions | 'house' | 'queue' | 'stopSwitch' | 'kinds'
>;

/** The house in which every kind is measured, by a dashboard or by a runner: who may be reached, whose turn it is, and what is known already. */
export function openMeasuring({ config, database, environment, onError }: MeasuringOptions) {
  // Of one that was killed while it recorded.
  sweepRecordings(config.dataDirectory);
  const queue = openMachineQueue(onError);
  const permits = openPermits(database, config.targets);
  const stopSwitch = openStopSwitch();
  const house: House = {
    ...config,
    permits: permits.current,
    stopped: stopSwitch.signal,
    hostTurns: openHostTurns(),
    ...openPast(database, environment),
    chooseScenario: (asked, secrets) => runnableScenario(database, asked, secrets),
  };
  const noteLoad: NoteLoad = (by, what, request, note) => permits.note(by, what, addressesOf(request), note);
  const given = { database, environment, onError, queue, stopSwitch, house };
  return {
    queue,
    permits,
    house,
    noteLoad,
    /** Takes up what waits. */
    begin: (options: Begun, kinds = allKinds): Promise<Measurements> =>
      openMeasurements({ ...given, ...options, kinds }),
  };
}
