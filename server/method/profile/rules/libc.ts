import { type CostRule, rulesOf } from './cost-rule.ts';

/** glibc, and what C++ and programs call its functions. */
export const libcRules: readonly CostRule[] = [
  ...rulesOf('libc', {
    copying: 'memcpy*, __memcpy*, memmove*, __memmove*, __mempcpy*, runtime.memmove*, bcopy*',
    memory: `
      malloc*, __libc_malloc*, _int_malloc, _int_free*, free, cfree*, __libc_free*, calloc*, __libc_calloc*,
      realloc*, __libc_realloc*, _int_realloc, unlink_chunk*, sysmalloc*, systrim*, posix_memalign*,
      _mid_memalign*, aligned_alloc*, tcache_*, operator new*, operator delete*, munmap, mmap*, __mmap*,
      brk, sbrk*, _int_memalign, pool_alloc*
    `,
    systemCalls: `
      read, __read*, __GI___libc_read, __libc_read*, write, __write*, __GI___libc_write, __libc_write*,
      writev, __writev, readv, sendfile*, send, __send, __libc_send*, recv, __libc_recv*, sendmsg, recvmsg,
      epoll_*, __epoll_*, pread*, __libc_pread*, __libc_open*, __GI___libc_open, open64*, close, __close*,
      accept*, __libc_accept*, fstat*, __fstat*, stat*, syscall, poll, __poll, sched_yield, __GI___close,
      shutdown, setsockopt, futex*, runtime/internal/syscall.*, internal/runtime/syscall.*,
      syscall.Syscall*, syscall.RawSyscall*, internal/poll.*, writev64
    `,
    scheduling: 'pthread_*, __pthread_*, __lll_lock_*, ___pthread_*',
  }),
];
