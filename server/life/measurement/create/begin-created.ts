import { apiPrefix } from '../../../../shared/api/prefix.ts';
import type { CreatedMeasurement } from '../../../../shared/measurement/measurement.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { buryMeasurement, type MeasurementRecord } from '../../database/measurements.ts';
import { addressOf } from '../list/address-of.ts';
import type { AskedKind, CreationParts, Made } from './judge-request.ts';
import type { Origin } from './origin.ts';

/** Hands one that is stored to the queue, and answers whoever asked. Throws queue_full, server_closing. */
export async function beginCreated<House>(
  parts: CreationParts<House>,
  { kind, request, secrets }: AskedKind<House>,
  { measurement, token }: Made,
  { by }: Origin,
  stopped: AbortSignal,
): Promise<CreatedMeasurement> {
  const { database, dispatch, deleteTokens, noteLoad } = parts;
  const { id } = measurement;
  const record: MeasurementRecord = {
    ...measurement,
    ...{ state: 'queued', fence: 0, startedAt: null, endedAt: null, problem: null, environment: null },
  };
  try {
    await noteLoad(by, 'launched', request, addressOf(kind, id));
    dispatch.begin(record, secrets, stopped);
  } catch (error) {
    // The caller gets this problem: the queue filled up meanwhile, or its load could not be noted.
    dispatch.withdraw(id);
    await buryMeasurement(database, id, Date.now());
    throw error;
  }
  if (token !== null) deleteTokens.keep(id, token);
  return created(kind, id, token);
}

/** What the same key made before. */
export async function answerOf<House>(
  { deleteTokens }: Pick<CreationParts<House>, 'deleteTokens'>,
  kind: AnyKind<House>,
  id: string,
): Promise<CreatedMeasurement> {
  return created(kind, id, await deleteTokens.of(id));
}

function created<House>(kind: AnyKind<House>, id: string, deleteToken: string | null): CreatedMeasurement {
  const eventsUrl = `${apiPrefix}/measurements/${id}/events`;
  return { id, url: addressOf(kind, id), eventsUrl, deleteToken };
}
