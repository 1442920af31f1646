import type { z } from 'zod';
import type { SpeedOperation, Timed } from '../../../shared/kinds/speed/speed.ts';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import { libraryReason } from '../handshakes/library-reason.ts';
import { agreementCalls, encapsulationCalls } from './agreement-calls.ts';
import type { Calls } from './calls.ts';
import { cipherCalls } from './cipher-calls.ts';
import { digestCalls } from './digest-calls.ts';
import { MeasuredCall } from './measure-calls.ts';
import { questions } from './messages.ts';
import { signatureCalls } from './signature-calls.ts';

/** A process that measures primitives and does nothing else. */

const prepared = new Map<string, [SpeedOperation, MeasuredCall][]>();
const emptySliceMs = 20;

answerQuestions(questions, { prepare, measure }, { reasonOf: libraryReason });

type Asked<Name extends keyof typeof questions> = z.output<(typeof questions)[Name]['question']>;

function prepare({ primitive, bytes }: Asked<'prepare'>): number | null {
  const { of: operations, empty } = callsOf(primitive, bytes);
  const measured = Object.entries(operations).map(
    ([operation, each]) =>
      [operation as SpeedOperation, new MeasuredCall(each)] as [SpeedOperation, MeasuredCall],
  );
  prepared.set(nameOf(primitive, bytes), measured);
  const nothing = empty === undefined ? null : new MeasuredCall(empty).measure(emptySliceMs);
  return nothing === null ? null : nothing.cpuUs / nothing.calls;
}

function measure({ primitive, bytes, sliceMs }: Asked<'measure'>): Timed[] {
  const calls = prepared.get(nameOf(primitive, bytes)) ?? [];
  return calls.map(([operation, each]) => ({ operation, ...each.measure(sliceMs) }));
}

function nameOf(primitive: string, bytes: number | null): string {
  return `${primitive}/${bytes}`;
}

/** Throws the library's error for what it does not do. */
function callsOf(primitive: string, bytes: number | null): Calls {
  const calls =
    digestCalls(primitive, bytes ?? 0) ??
    cipherCalls(primitive, bytes ?? 0) ??
    signatureCalls(primitive) ??
    agreementCalls(primitive) ??
    encapsulationCalls(primitive);
  if (calls === null) throw new Error(`there is no call for ${primitive}`);
  return calls;
}
