import { problem } from '../../../../shared/base/problem.ts';
import type { CreatedMeasurement } from '../../../../shared/measurement/measurement.ts';
import { thisMachine } from '../../../../shared/team/audit.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { insertMeasurement } from '../../database/insert-measurement.ts';
import { findMeasurement } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';
import { findKnown } from '../list/find-known.ts';
import { answerOf, beginCreated } from './begin-created.ts';
import { hashText } from './hash-text.ts';
import { demandSame, hashOfKey } from './idempotency.ts';
import { type CreationParts, judgeRequest } from './judge-request.ts';
import type { Origin } from './origin.ts';
import { parseRequest } from './parse-request.ts';

/** Parses, judges, stores and queues a measurement, once for an idempotency key. */
export async function createMeasurement<House>(
  parts: CreationParts<House>,
  name: string,
  body: object,
  idempotencyKey: string | null,
  from: Origin = { by: thisMachine },
): Promise<CreatedMeasurement> {
  const { database, dispatch, stopSwitch, kindOf } = parts;
  const stopped = stopSwitch.signal();
  const kind = kindOf(name);
  const { labels, ...parsed } = parseRequest(kind.requestSchema, await asContinued(database, kind, body));
  const asked = { ...parsed, kind };
  const requestHash = hashText(JSON.stringify(asked.request));
  const idempotencyHash = hashOfKey(idempotencyKey, from.by);
  const earlier =
    idempotencyHash === null ? null : await findMeasurement(database, idempotencyHash, 'idempotencyHash');
  if (earlier !== null) {
    demandSame(earlier, requestHash);
    return answerOf(parts, kindOf(earlier.kind), earlier.id);
  }
  const { here, make } = await judgeRequest(parts, asked, [labels], from, stopped);
  if (here) await dispatch.demandRoom([labels], here);
  const made = make({ requestHash, idempotencyHash });
  const enroll = dispatch.enroll(made.measurement.id, labels, here);
  const stored = await insertMeasurement(database, made.measurement, enroll);
  // The same request was faster: its measurement is the answer.
  if (!stored) return createMeasurement(parts, name, body, idempotencyKey, from);
  return beginCreated(parts, asked, made, from, stopped);
}

/** The request of the measurement that this one continues. Throws run_not_found, run_deleted, run_binned, not_continuable. */
async function asContinued<House>(
  database: Database,
  { name, noun, continuable }: AnyKind<House>,
  body: object,
): Promise<object> {
  const { continues } = body as { continues?: unknown };
  if (continuable === undefined || typeof continues !== 'string') return body;
  const { kind, state, request } = await findKnown(database, continues, () =>
    findMeasurement(database, continues),
  );
  if (kind !== name || state !== 'finished')
    throw problem('not_continuable', `Only ${noun} that finished can be continued.`);
  return { ...Object(request), ...body };
}
