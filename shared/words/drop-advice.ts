import type { DropReason, DropReasonCode } from '../kinds/comparison/block.ts';
import { listed } from './example-words.ts';

/** What helps against each kind of problem that costs blocks; the reason itself says what happened. */
export const dropAdvice: Record<DropReasonCode, string> = {
  errors: 'A target that fails under load cannot be compared. See the errors, or lower the rate.',
  under_sent: 'Lower the rate, or use more users or generator processes.',
  late: 'Something held up the load generator. Close other programs, or use a machine with more cores.',
  generator_saturated: 'Lower the rate, or use more generator processes if there are enough cores.',
  overrun: 'The target stalled at the end of a slot. Choose To quote or Fine, which have longer slots.',
  cpu_unverified: 'Two sources disagree about the target’s CPU. Give its process ID.',
  handshakes_disagree: 'Another client used the target, or it lost connections. Keep other clients away.',
};

/** `every metric`, or the groups that the block is left out of; for the rest it counts. */
export function leftOutOf(reasons: readonly DropReason[]): string {
  const spoiled = [...new Set(reasons.map(({ spoils }) => spoils))];
  return spoiled.includes('all') ? 'every metric' : listed(spoiled);
}

/** Each kind of problem in a few words, to end "most of them because ". */
export const dropCause: Record<DropReasonCode, string> = {
  errors: 'requests failed',
  under_sent: 'not all planned transactions were sent',
  late: 'transactions were sent late',
  generator_saturated: 'the load generator was at its limit',
  overrun: 'a slot took too long to end',
  cpu_unverified: 'two sources disagreed about the CPU',
  handshakes_disagree: 'the handshake counts disagreed',
};
