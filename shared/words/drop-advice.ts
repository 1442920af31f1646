import type { DropReasonCode } from '../kinds/comparison/block.ts';

/** What helps against each kind of problem that costs blocks; the reason itself says what happened. */
export const dropAdvice: Record<DropReasonCode, string> = {
  errors: 'A target that fails under load cannot be compared. See the errors, or lower the rate.',
  ports_exhausted: 'Widen the range of local ports, or keep connections open longer.',
  under_sent: 'Lower the rate, or use more connections or generator processes.',
  late: 'Something held up the load generator. Close other programs, or use a machine with more cores.',
  steal: 'Neighbors on the same host took CPU time. Repeat the run later, or on a dedicated host.',
  foreign_cpu: 'Close other programs on this machine and repeat the run.',
  generator_saturated: 'Lower the rate, or use more generator processes if there are enough cores.',
  overrun: 'The target stalled at the end of a slot. Use a longer preset, which has longer slots.',
  cpu_unverified: 'Two sources disagree about the target’s CPU. Give its process ID.',
  handshakes_disagree: 'Another client used the target, or it lost connections. Keep other clients away.',
  slot_failed: 'Repeat the run.',
};

/** Each kind of problem in a few words, to end "most of them because ". */
export const dropCause: Record<DropReasonCode, string> = {
  errors: 'requests failed',
  ports_exhausted: 'local ports ran out',
  under_sent: 'not all planned transactions were sent',
  late: 'transactions were sent late',
  steal: 'the hypervisor took CPU time',
  foreign_cpu: 'other programs used the CPU',
  generator_saturated: 'the load generator was at its limit',
  overrun: 'a slot took too long to end',
  cpu_unverified: 'two sources disagreed about the CPU',
  handshakes_disagree: 'the handshake counts disagreed',
  slot_failed: 'a slot failed',
};
