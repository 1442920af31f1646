import { recordingEndpoints } from '../../../shared/api/recording-endpoints.ts';
import type { ImportReport, TrafficChoices } from '../../../shared/scenario/import.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { ApiClient } from './api-client.ts';

type ReplayOptions = {
  /** `storefront`, an origin, or null for where the actions are written for. */
  at: string | null;
  secrets: SecretValues;
  name: string;
  choices: TrafficChoices;
};

/** The report once more, with the requests that its actions send when a browser does them. */
export async function replayImport(
  api: ApiClient,
  report: ImportReport,
  { at, secrets, name, choices }: ReplayOptions,
): Promise<ImportReport> {
  const { actions } = report;
  const { sid } = await api.call(recordingEndpoints.createReplay, {
    body: { actions, secrets, ...(at === null ? {} : { at }) },
  });
  const replayed = await api.call(recordingEndpoints.finishRecording, {
    params: { sid },
    body: { name: report.scenario?.name ?? name, choices },
  });
  return { ...replayed, unsupported: [...report.unsupported, ...replayed.unsupported] };
}
