import type { SpeedOperation } from '../../../shared/speed.ts';
import { libraryReason } from '../library-reason.ts';
import { callsOf } from './calls.ts';
import { MeasuredCall } from './measure-calls.ts';
import { type Command, commandSchema, type Reply } from './messages.ts';

/** A process that measures primitives and does nothing else, told by IPC what to do, gone when its parent is. */

const prepared = new Map<string, [SpeedOperation, MeasuredCall][]>();
const emptySliceMs = 20;

process.on('message', (message) => {
  const command = commandSchema.parse(message);
  reply(carryOut(command));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C goes to every process of the terminal. The parent decides when measuring ends.
process.on('SIGINT', () => {});

function carryOut(command: Command): Reply {
  const { call } = command;
  try {
    return command.type === 'prepare' ? prepare(command) : measure(command);
  } catch (error) {
    return { type: 'refused', call, reason: libraryReason(error) };
  }
}

function prepare({ call, primitive, bytes }: Command): Reply {
  const { of: operations, empty } = callsOf(primitive, bytes);
  const measured = Object.entries(operations).map(
    ([operation, each]) =>
      [operation as SpeedOperation, new MeasuredCall(each)] as [SpeedOperation, MeasuredCall],
  );
  prepared.set(nameOf(primitive, bytes), measured);
  const nothing = empty === undefined ? null : new MeasuredCall(empty).measure(emptySliceMs);
  return { type: 'prepared', call, emptyCallUs: nothing === null ? null : nothing.cpuUs / nothing.calls };
}

function measure({ call, primitive, bytes, sliceMs }: Extract<Command, { type: 'measure' }>): Reply {
  const calls = prepared.get(nameOf(primitive, bytes)) ?? [];
  const timed = calls.map(([operation, each]) => ({ operation, ...each.measure(sliceMs) }));
  return { type: 'measured', call, timed };
}

function nameOf(primitive: string, bytes: number | null): string {
  return `${primitive}/${bytes}`;
}

function reply(message: Reply): void {
  // Where the parent is gone there is nobody to tell; the disconnect ends this process.
  process.send?.(message, () => {});
}
