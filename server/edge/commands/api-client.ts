import { z } from 'zod';
import { apiPrefix } from '../../../shared/api/prefix.ts';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { seriesSchema } from '../../../shared/kinds/comparison/series.ts';
import {
  type Batch,
  batchSchema,
  type CreatedBatch,
  createdBatchSchema,
} from '../../../shared/measurement/batch.ts';
import { type SqlRequest, type SqlResult, sqlResultSchema } from '../../../shared/measurement/history.ts';
import { type MeasurementEvent, measurementEventSchema } from '../../../shared/measurement/kinds.ts';
import type { LabelChange } from '../../../shared/measurement/label.ts';
import {
  type CreatedMeasurement,
  createdMeasurementSchema,
} from '../../../shared/measurement/measurement.ts';
import { measurementSummarySchema } from '../../../shared/measurement/measurement-summary.ts';
import { type Labels, type RunnerList, runnerListSchema } from '../../../shared/measurement/runner.ts';
import {
  createdScheduleSchema,
  type NewSchedule,
  type Schedule,
  scheduleListSchema,
  scheduleSchema,
} from '../../../shared/measurement/schedule.ts';
import { type ImportReport, importReportSchema } from '../../../shared/scenario/import.ts';
import {
  type CreatedRecording,
  type CreatedReplay,
  createdRecordingSchema,
  createdReplaySchema,
  type FinishRecording,
  type RecordingRequest,
  type ReplayRequest,
} from '../../../shared/scenario/recorder.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import {
  type ScenarioDraft,
  type StoredScenario,
  storedScenarioSchema,
} from '../../../shared/scenario/stored-scenario.ts';
import {
  type AllowRequest,
  type PermittedTargets,
  permittedTargetsSchema,
  stoppedSchema,
} from '../../../shared/target/permitted-target.ts';
import { type PreflightAnswer, preflightAnswerSchema } from '../../../shared/target/preflight.ts';
import { type ProbeReport, type ProbeRequest, probeReportSchema } from '../../../shared/target/probe.ts';
import { apiKeySchema, createdApiKeySchema } from '../../../shared/team/api-key.ts';
import { createdUserSchema, userSchema, userWithPasswordSchema } from '../../../shared/team/team.ts';
import type { KeysOfActor, Users } from '../team/team.ts';

export type ApiClient = {
  /** Of any kind; `secrets` beside the request are kept in memory only, the `label` is what to write on it. */
  create(request: {
    kind: string;
    secrets?: SecretValues;
    label?: LabelChange | undefined;
  }): Promise<CreatedMeasurement>;
  /** The same for several sites at once. */
  createBatch(request: { kind: string; labels: readonly Labels[] }): Promise<CreatedBatch>;
  readBatch(id: string): Promise<Batch>;
  runners(): Promise<RunnerList>;
  cancel(id: string, keep: boolean): Promise<void>;
  /** Both sides of a target, as before a run. */
  check(request: PreflightRequest): Promise<PreflightAnswer>;
  probe(request: ProbeRequest): Promise<ProbeReport>;
  listTargets(): Promise<PermittedTargets>;
  allowTarget(request: AllowRequest): Promise<void>;
  withdrawTarget(id: string): Promise<void>;
  /** Ends all load; resolves to how much of it there was. */
  stop(): Promise<number>;
  /** Of one that ended early. */
  resume(id: string): Promise<{ id: string; url: string }>;
  /** Every event, from the first to `end`. */
  events(id: string): AsyncGenerator<MeasurementEvent>;
  /** The bytes of a permalink's `.json`, as text. */
  readDocument(url: string): Promise<string>;
  /** Its page as one file. */
  readPage(url: string): Promise<string>;
  /** ID of the run that is pinned in the series of a run; null without one. */
  findBaseline(id: string): Promise<string | null>;
  /** SQL over what was measured. */
  runSql(request: SqlRequest): Promise<SqlResult>;
  listSchedules(): Promise<Schedule[]>;
  createSchedule(asked: NewSchedule): Promise<Schedule>;
  changeSchedule(id: string, state: 'on' | 'paused'): Promise<Schedule>;
  deleteSchedule(id: string): Promise<void>;
  readScenario(id: string): Promise<StoredScenario>;
  /** Names of the secrets of a stored scenario, in its newest revision or the one of that id. */
  secretsOf(scenarioId: string): Promise<string[]>;
  saveScenario(draft: ScenarioDraft): Promise<StoredScenario>;
  createRecording(request: RecordingRequest): Promise<CreatedRecording>;
  createReplay(request: ReplayRequest): Promise<CreatedReplay>;
  finishRecording(sid: string, request: FinishRecording): Promise<ImportReport>;
  users: Users;
  keys: KeysOfActor;
};

/** The API as the command line uses it. Problems of the server are thrown as they are. */
export function connectTo({ url: origin, key }: { url: string; key: string | null }): ApiClient {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await reach(origin, path, {
      method,
      headers: {
        Origin: origin,
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) await throwProblem(origin, response);
    return response;
  };
  const readScenario = async (id: string): Promise<StoredScenario> => {
    const response = await call('GET', `${apiPrefix}/scenarios/${encodeURIComponent(id)}`);
    return storedScenarioSchema.parse(await response.json());
  };
  return {
    async create(request) {
      const response = await call('POST', `${apiPrefix}/measurements`, request);
      return createdMeasurementSchema.parse(await response.json());
    },
    async createBatch(request) {
      const response = await call('POST', `${apiPrefix}/batches`, request);
      return createdBatchSchema.parse(await response.json());
    },
    async runners() {
      const response = await call('GET', `${apiPrefix}/runners`);
      return runnerListSchema.parse(await response.json());
    },
    async readBatch(id) {
      return batchSchema.parse(await (await call('GET', `${apiPrefix}/batches/${id}`)).json());
    },
    async cancel(id, keep) {
      await call('POST', `${apiPrefix}/measurements/${id}/cancel`, { keep });
    },
    async check(request) {
      const response = await call('POST', `${apiPrefix}/preflight`, request);
      return preflightAnswerSchema.parse(await response.json());
    },
    async probe(request) {
      const response = await call('POST', `${apiPrefix}/probe`, request);
      return probeReportSchema.parse(await response.json());
    },
    async listTargets() {
      return permittedTargetsSchema.parse(await (await call('GET', `${apiPrefix}/targets`)).json());
    },
    async allowTarget(request) {
      await call('POST', `${apiPrefix}/targets`, request);
    },
    async withdrawTarget(id) {
      await call('DELETE', `${apiPrefix}/targets/${encodeURIComponent(id)}`);
    },
    async stop() {
      return stoppedSchema.parse(await (await call('POST', `${apiPrefix}/stop`)).json()).stopped;
    },
    async resume(id) {
      const response = await call('POST', `${apiPrefix}/measurements/${encodeURIComponent(id)}/resume`);
      const { id: resumed, url } = measurementSummarySchema.parse(await response.json());
      return { id: resumed, url };
    },
    async *events(id) {
      const response = await call('GET', `${apiPrefix}/measurements/${id}/events`);
      for await (const text of readServerSentData(response)) {
        yield measurementEventSchema.parse(JSON.parse(text));
      }
    },
    async readDocument(url) {
      return (await call('GET', `${url}.json`)).text();
    },
    async readPage(url) {
      return (await call('GET', `${url}.html`)).text();
    },
    async findBaseline(id) {
      const response = await call('GET', `${apiPrefix}/measurements/${id}/series`);
      return seriesSchema.parse(await response.json()).baseline;
    },
    async secretsOf(scenarioId) {
      return (await readScenario(scenarioId)).secrets;
    },
    async runSql(request) {
      const response = await call('POST', `${apiPrefix}/sql`, request);
      return sqlResultSchema.parse(await response.json());
    },
    async listSchedules() {
      const response = await call('GET', `${apiPrefix}/schedules`);
      return scheduleListSchema.parse(await response.json()).schedules;
    },
    async createSchedule(asked) {
      const response = await call('POST', `${apiPrefix}/schedules`, asked);
      return createdScheduleSchema.parse(await response.json()).schedule;
    },
    async changeSchedule(id, state) {
      const path = `${apiPrefix}/schedules/${encodeURIComponent(id)}`;
      return scheduleSchema.parse(await (await call('PATCH', path, { state })).json());
    },
    async deleteSchedule(id) {
      await call('DELETE', `${apiPrefix}/schedules/${encodeURIComponent(id)}`);
    },
    readScenario,
    async saveScenario(draft) {
      const response = await call('POST', `${apiPrefix}/scenarios`, draft);
      return storedScenarioSchema.parse(await response.json());
    },
    async createRecording(request) {
      const response = await call('POST', `${apiPrefix}/recordings`, request);
      return createdRecordingSchema.parse(await response.json());
    },
    async createReplay(request) {
      const response = await call('POST', `${apiPrefix}/recordings/replays`, request);
      return createdReplaySchema.parse(await response.json());
    },
    users: {
      async list() {
        return z.array(userSchema).parse(await (await call('GET', `${apiPrefix}/users`)).json());
      },
      async create(user) {
        return createdUserSchema.parse(await (await call('POST', `${apiPrefix}/users`, user)).json());
      },
      async changeRole(id, role) {
        return userSchema.parse(await (await call('PATCH', `${apiPrefix}/users/${id}`, { role })).json());
      },
      async resetPassword(id) {
        return userWithPasswordSchema.parse(
          await (await call('POST', `${apiPrefix}/users/${id}/password`)).json(),
        );
      },
      async remove(id) {
        await call('DELETE', `${apiPrefix}/users/${id}`);
      },
    },
    keys: {
      async list() {
        return z.array(apiKeySchema).parse(await (await call('GET', `${apiPrefix}/keys`)).json());
      },
      async create(made) {
        return createdApiKeySchema.parse(await (await call('POST', `${apiPrefix}/keys`, made)).json());
      },
      async remove(id) {
        await call('DELETE', `${apiPrefix}/keys/${encodeURIComponent(id)}`);
      },
    },
    async finishRecording(sid, request) {
      const response = await call('POST', `${apiPrefix}/recordings/${sid}/finish`, request);
      return importReportSchema.parse(await response.json());
    },
  };
}

/** What another authority would have to vouch for. Source: nodejs.org/api/tls.html#x509-certificate-error-codes. */
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Throws server_unreachable, server_untrusted. */
async function reach(origin: string, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${origin}${path}`, request);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause : new Error(`${error}`);
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw untrusted.includes(code)
      ? problem('server_untrusted', `This machine does not trust ${origin}: ${cause.message}.`, {
          cause: error,
        })
      : problem('server_unreachable', `${origin} does not answer: ${cause.message}.`, { cause: error });
  }
}

async function throwProblem(origin: string, response: Response): Promise<never> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success)
    throw problem('server_unreachable', `${origin} answered ${response.status}, not as TLS Toll does.`);
  const { code, detail, errors } = parsed.data;
  throw new ProblemError(code, { detail, ...(errors === undefined ? {} : { errors }) });
}

/** The data of each server-sent event, until the stream ends. */
async function* readServerSentData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let buffered = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const lines = buffered.slice(0, end).split('\n');
      buffered = buffered.slice(end + 2);
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}
