import {
  type AnnotationChange,
  blankAnnotation,
  changeAnnotation,
} from '../../../../shared/measurement/annotation.ts';
import type { Labels } from '../../../../shared/measurement/runner.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import type { NewMeasurement } from '../../database/insert-measurement.ts';
import type { Given } from '../given.ts';
import { newDeleteToken } from './delete-token.ts';
import type { Origin } from './origin.ts';
import { newPermalinkId } from './permalink-id.ts';

/** What measurements are made with. */
export type CreationParts<House> = Pick<
  Given<House>,
  'database' | 'dispatch' | 'stopSwitch' | 'house' | 'kindOf' | 'noteLoad' | 'deleteTokens'
>;

export type AskedKind<House> = {
  kind: AnyKind<House>;
  request: unknown;
  secrets: SecretValues;
  annotation: AnnotationChange;
};

/** A new measurement, and the token that deletes it; null where whoever made the schedule has it. */
export type Made = { measurement: NewMeasurement; token: string | null };

type Hashes = Pick<NewMeasurement, 'requestHash' | 'idempotencyHash'>;

/** Judges a request once, for all sites that are to measure it. `here` is whether only this process can. */
export async function judgeRequest<House>(
  { dispatch, house, noteLoad }: CreationParts<House>,
  { kind, request, secrets, annotation }: AskedKind<House>,
  sites: readonly Labels[],
  { by, schedule }: Origin,
  stopped: AbortSignal,
): Promise<{ here: boolean; make(hashes: Hashes): Made }> {
  await dispatch.demandRoom(sites);
  stopped.throwIfAborted();
  const { facts, summary, revisionId } = await kind.prepare(request, secrets, house).catch(async (error) => {
    await noteLoad(by, 'checked', request, null);
    throw error;
  });
  stopped.throwIfAborted();
  const title = kind.title(request, facts);
  const make = (hashes: Hashes): Made => {
    const { token, hash } = schedule === undefined ? newDeleteToken() : tokenOf(schedule);
    const measurement = {
      ...{ id: newPermalinkId(), kind: kind.name, createdAt: Date.now(), title, summary, request, facts },
      ...{ ...hashes, revisionId, deleteTokenHash: hash, searchText: title },
      ...{ targets: kind.targets(request, facts), annotation: changeAnnotation(blankAnnotation, annotation) },
      ...{ scheduleId: schedule?.scheduleId, startedBy: by.userId },
    };
    return { measurement, token };
  };
  return { here: kind.secretsOf(request, facts).length > 0, make };
}

/** Whoever made the schedule has it. */
function tokenOf({ deleteTokenHash: hash }: { deleteTokenHash: string }): { token: null; hash: string } {
  return { token: null, hash };
}
