import type { CostGroup } from '../../../../shared/kinds/explain/cost-groups.ts';
import { type CostRule, namesIn } from './cost-rule.ts';
import { kernelRules } from './kernel.ts';
import { libcRules } from './libc.ts';
import { runtimeRules } from './runtimes.ts';
import { tlsLibraryRules } from './tls-libraries.ts';

export const costRules: readonly CostRule[] = [
  ...tlsLibraryRules,
  ...runtimeRules,
  ...libcRules,
  ...kernelRules,
];

/**
 * They belong to their caller. Most re-enable interrupts, so the timer that was due takes its sample there; the others are locks, checks of security
 * modules, and helpers of everything.
 */
export const transparentNames = namesIn(`
  _raw_spin_unlock*, __raw_spin_unlock*, _raw_read_unlock*, _raw_write_unlock*, _raw_spin_lock*,
  finish_task_switch*, __local_bh_enable_ip, native_queued_spin_lock_slowpath, pv_native_*, __rcu_read_lock,
  __rcu_read_unlock, rcu_*, preempt_*, read_tsc, ktime_get*, kvm_clock*, clear_bhb_loop, __x86_*, srso_*,
  retbleed_*, its_*, strncpy_from_user, memset*, __memset*, __list_add_*, __list_del_*, pvclock_*,
  __cond_resched, lock_sock*, mutex_*, __mutex_*, percpu_counter_*, aa_*, apparmor_*, security_*, bpf_lsm_*,
  debug_smp_processor_id, __errno_location, _copy_from_user
`);

/** The JVM keeps all of its routines in one place, without names: they belong to the method that called them. */
export const transparentRoutines = ['StubRoutines*'] as const;

/**
 * Of functions that no rule knows, also without a name, by their library. A library that is not listed here belongs to its caller.
 */
export const libraryRules: readonly { group: CostGroup; library: RegExp }[] = [
  { group: 'tls', library: /^lib(ssl|crypto|gnutls|nettle|hogweed|gmp|tasn1|s2n)\b/ },
  { group: 'javascript', library: /^javascript$/ },
  { group: 'application', library: /^(jit|lib(pcre|z|brotli|apr|aprutil|nghttp|uv|llhttp|lua)|mod_|ngx_)/ },
];
