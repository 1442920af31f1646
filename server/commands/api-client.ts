import { apiPrefix, type CreatedRun, type CreateRunInput, createdRunSchema } from '../../shared/api.ts';
import { type ImportReport, importReportSchema } from '../../shared/import.ts';
import type { LabRequest } from '../../shared/lab-document.ts';
import { type LabEvent, labEventSchema } from '../../shared/lab-progress.ts';
import { ProblemError, problemSchema } from '../../shared/problem.ts';
import { type RunEvent, runEventSchema } from '../../shared/progress.ts';
import {
  type CreatedRecording,
  type CreatedReplay,
  createdRecordingSchema,
  createdReplaySchema,
  type FinishRecording,
  type RecordingRequest,
  type ReplayRequest,
} from '../../shared/recorder.ts';
import {
  type ScenarioDraft,
  type StoredScenario,
  storedScenarioSchema,
} from '../../shared/stored-scenario.ts';

export type ApiClient = {
  createRun(request: CreateRunInput): Promise<CreatedRun>;
  readScenario(id: string): Promise<StoredScenario>;
  /** Names of the secrets of a stored scenario, in its newest revision or the one of that id. */
  secretsOf(scenarioId: string): Promise<string[]>;
  saveScenario(draft: ScenarioDraft): Promise<StoredScenario>;
  createRecording(request: RecordingRequest): Promise<CreatedRecording>;
  createReplay(request: ReplayRequest): Promise<CreatedReplay>;
  finishRecording(sid: string, request: FinishRecording): Promise<ImportReport>;
  cancelRun(id: string, keep: boolean): Promise<void>;
  /** Every event of a run, from the first to `end`. */
  runEvents(id: string): AsyncGenerator<RunEvent>;
  /** The bytes of the permalink's `.json`, as text. */
  readDocument(id: string): Promise<string>;
  createLab(request: LabRequest): Promise<CreatedRun>;
  cancelLab(id: string, keep: boolean): Promise<void>;
  /** Every event of a measurement of the lab, from the first to `end`. */
  labEvents(id: string): AsyncGenerator<LabEvent>;
  readLabDocument(id: string): Promise<string>;
};

/** The API as the command line uses it. Problems of the server are thrown as they are. */
export function connectTo(origin: string): ApiClient {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { Origin: origin, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) await throwProblem(response);
    return response;
  };
  const readScenario = async (id: string): Promise<StoredScenario> => {
    const response = await call('GET', `${apiPrefix}/scenarios/${encodeURIComponent(id)}`);
    return storedScenarioSchema.parse(await response.json());
  };
  return {
    async createRun(request) {
      const response = await call('POST', `${apiPrefix}/runs`, request);
      return createdRunSchema.parse(await response.json());
    },
    async secretsOf(scenarioId) {
      return (await readScenario(scenarioId)).secrets;
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
    async finishRecording(sid, request) {
      const response = await call('POST', `${apiPrefix}/recordings/${sid}/finish`, request);
      return importReportSchema.parse(await response.json());
    },
    async cancelRun(id, keep) {
      await call('POST', `${apiPrefix}/runs/${id}/cancel`, { keep });
    },
    async *runEvents(id) {
      const response = await call('GET', `${apiPrefix}/runs/${id}/events`);
      for await (const text of readServerSentData(response)) yield runEventSchema.parse(JSON.parse(text));
    },
    async readDocument(id) {
      return (await call('GET', `/r/${id}.json`)).text();
    },
    async createLab(request) {
      const response = await call('POST', `${apiPrefix}/lab`, request);
      return createdRunSchema.parse(await response.json());
    },
    async cancelLab(id, keep) {
      await call('POST', `${apiPrefix}/lab/${id}/cancel`, { keep });
    },
    async *labEvents(id) {
      const response = await call('GET', `${apiPrefix}/lab/${id}/events`);
      for await (const text of readServerSentData(response)) yield labEventSchema.parse(JSON.parse(text));
    },
    async readLabDocument(id) {
      return (await call('GET', `/l/${id}.json`)).text();
    },
  };
}

async function throwProblem(response: Response): Promise<never> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`the server answered ${response.status}`);
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
