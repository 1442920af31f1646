import type { Logger } from 'pino';
import type { Limits } from '../../../shared/api/server-endpoints.ts';
import type { MachineUse } from '../../../shared/measurement/machine.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import type { Pictures } from '../../base/picture/open-pictures.ts';
import type { GeneratorHosts } from '../../drive/load/hosts/generator-hosts.ts';
import type { PodsOffer } from '../../drive/load/pods/offer-pods.ts';
import type { House } from '../../kinds/house.ts';
import type { Audit } from '../../life/audit/open-audit.ts';
import type { Checks } from '../../life/checks/open-checks.ts';
import type { History } from '../../life/database/history/open-history.ts';
import type { Database } from '../../life/database/open-database.ts';
import type { Examples } from '../../life/examples/open-examples.ts';
import type { Results } from '../../life/examples/with-examples.ts';
import type { Measurements } from '../../life/measurement/measurements.ts';
import type { Schedules } from '../../life/measurement/repeat/schedules.ts';
import type { Permits } from '../../life/permits/open-permits.ts';
import type { RecordingControl } from '../../life/recording/recording-control.ts';
import type { Metrics } from '../metrics/open-metrics.ts';
import type { Team } from '../team/team.ts';

/** What the routes are given. */
export type AppParts = {
  measurements: Measurements;
  /** What is read of one result, measured here or an example. */
  results: Results;
  examples: Examples<House>;
  schedules: Schedules;
  /** This machine. */
  machine: {
    /** What it does besides, while somebody looks. */
    look(): MachineUse;
    /** How samples of server CPU scattered in the newest runs on it. */
    sampleDeviations(): Promise<{ target: TargetKind; deviation: number }[]>;
  };
  /** Hosts that have joined with their load generator, and the pods it may create; null where none can join. */
  generatorHosts: (Pick<GeneratorHosts, 'list'> & { pods?: Pick<PodsOffer, 'most'> | null }) | null;
  checks: Checks;
  permits: Permits;
  audit: Audit;
  /** Of the scenario library. */
  database: Database;
  /** SQL over what was measured. */
  history: History;
  recordings: RecordingControl;
  pictures: Pictures;
  /** Null where nobody asks for them. */
  metrics: Metrics | null;
  /** Of a server that demands sign-in; null on any other. */
  team: Team | null;
  /** The built client; may be missing. */
  clientDirectory: string;
  /** The page that a result is put into to make one file of both; may be missing. */
  filePage: string;
  /** The name or address that the server listens on. */
  hostname: string;
  /** How many proxies stand in front of the server, each of which adds the address that it was asked from. */
  proxies: number;
  /** The name that people know it by, besides; null for none. */
  publicHost: string | null;
  logger: Logger;
  limits: Limits;
  /** Of the product. */
  version: string;
};
