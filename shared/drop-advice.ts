import type { DropReasonCode } from './block.ts';

/** What helps against each kind of trouble that costs blocks; the reason itself says what happened. */
export const dropAdvice: Record<DropReasonCode, string> = {
  errors: 'An application that fails under load cannot be compared: see the errors, or ask for a lower rate.',
  ports_exhausted: 'Widen the range of local ports, or let connections live longer.',
  under_sent: 'Ask for a lower rate, more connections or more generator processes.',
  late: 'Something held the generator up: end other programs, or repeat the run on a machine with more cores.',
  steal: 'Neighbors on the same host took the processor: repeat the run later, or on a host of its own.',
  foreign_cpu: 'End what else runs on this machine and repeat the run.',
  generator_saturated: 'Ask for a lower rate, or for more generator processes where there are cores.',
  overrun: 'The target stalled at the end of a slot; longer slots, as in a longer preset, bear that better.',
  cpu_unverified: 'Two sources disagree about the CPU of the target: name its process by pid.',
  handshakes_disagree: 'Somebody else used the target, or it lost connections: leave it to the run alone.',
  slot_failed: 'Repeat the run.',
};

/** Each kind of trouble in a few words, to end "most of them because ". */
export const dropCause: Record<DropReasonCode, string> = {
  errors: 'requests failed',
  ports_exhausted: 'local ports ran out',
  under_sent: 'not all planned transactions were sent',
  late: 'transactions were sent late',
  steal: 'the hypervisor took the processor away',
  foreign_cpu: 'other programs used the processor',
  generator_saturated: 'the load generator was at its limit',
  overrun: 'a slot took too long to end',
  cpu_unverified: 'two sources disagreed about the CPU',
  handshakes_disagree: 'the counts of handshakes disagreed',
  slot_failed: 'a slot failed',
};
