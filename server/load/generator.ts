import type { z } from 'zod';
import type { Arm } from '../../shared/transport.ts';
import { Lane } from './lane.ts';
import { commandSchema, type Reply, type Share } from './messages.ts';

/** A process of the load generator, told by IPC what to do, gone when its parent is. */

type ParsedCommand = z.output<typeof commandSchema>;
type ParsedConfiguration = Extract<ParsedCommand, { type: 'configure' }>['configuration'];

const lanes = new Map<Arm, Lane>();

process.on('message', (message) => {
  const command = commandSchema.parse(message);
  carryOut(command).then(reply, (error: unknown) => {
    reply({
      type: 'failed',
      call: command.call,
      message: error instanceof Error ? error.message : String(error),
    });
  });
});
process.on('disconnect', () => process.exit(0));

async function carryOut(command: ParsedCommand): Promise<Reply> {
  const { call } = command;
  switch (command.type) {
    case 'configure':
      configure(command.configuration, command.share);
      return { type: 'configured', call };
    case 'prepare':
      return { type: 'prepared', call, prepared: await laneOf(command.arm).prepare() };
    case 'run':
      return { type: 'result', call, part: await laneOf(command.arm).run(command.slot) };
  }
}

function configure({ listeners, ...options }: ParsedConfiguration, share: Share): void {
  for (const lane of lanes.values()) lane.close();
  lanes.clear();
  for (const listener of listeners) lanes.set(listener.arm, new Lane({ listener, share, ...options }));
}

function laneOf(arm: Arm): Lane {
  const lane = lanes.get(arm);
  if (lane === undefined) throw new Error(`the generator was not configured for the ${arm} arm`);
  return lane;
}

function reply(message: Reply): void {
  // Where the parent is gone there is nobody to tell; the disconnect ends this process.
  process.send?.(message, () => {});
}
