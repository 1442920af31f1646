import type { CostGroup } from '../../shared/kinds/explain/options.ts';

/** Packages of Go, classes of the JDK and functions of its virtual machine, V8, and Node. */
const runtimeRules: readonly CostRule[] = [
  ...wholeRulesOf('Go', {
    garbage: 'runtime.gcBgMarkWorker*, runtime.gcAssistAlloc*, runtime.bgsweep*, runtime.bgscavenge*',
  }),
  ...wholeRulesOf('JDK', {
    compiling: 'CompileBroker::*, C2Compiler::*, Compiler::*, CompilationPolicy::*',
    garbage: 'G1*, WorkerThread::run*, GangWorker::*, ConcurrentGCThread::*, VM_G1*, VM_Collect*',
  }),
  ...wholeRulesOf('V8', {
    compiling: `
      v8::internal::compiler::*, v8::internal::maglev::*, v8::internal::baseline::*,
      v8::internal::OptimizingCompile*, v8::internal::Compiler::*, v8::internal::OptimizedCompilationJob::*
    `,
    garbage: `
      v8::internal::Heap::CollectGarbage*, v8::internal::Scavenger*, v8::internal::MarkCompact*,
      v8::internal::ConcurrentMarking*, v8::internal::Sweeper*, v8::internal::MinorMarkSweep*,
      v8::internal::ArrayBufferSweeper*, v8::internal::IncrementalMarking*, v8::internal::Marking*,
      v8::internal::PagedSpaceForNewSpace*, v8::internal::MemoryAllocator*
    `,
  }),
  ...rulesOf('Go', {
    encryption: `
      crypto/aes.*, crypto/cipher.*, crypto/internal/fips140/aes*, crypto/tls.(*halfConn).*,
      crypto/tls.(*xorNonceAEAD).*, crypto/tls.(*prefixNonceAEAD).*, golang.org/x/crypto/chacha20*,
      vendor/golang.org/x/crypto/chacha20*, vendor/golang.org/x/crypto/internal/poly1305*
    `,
    keyAgreement: `
      crypto/ecdh.*, crypto/mlkem*, crypto/internal/fips140/mlkem*, crypto/internal/fips140/ecdh*
    `,
    signature: `
      crypto/ecdsa.*, crypto/rsa.*, crypto/ed25519.*, crypto/x509.*, crypto/internal/fips140/ecdsa*,
      crypto/internal/fips140/rsa*
    `,
    arithmetic: `
      crypto/elliptic*, crypto/internal/fips140/nistec*, crypto/internal/fips140/bigmod*,
      crypto/internal/fips140/edwards25519*, crypto/internal/nistec*, math/big.*
    `,
    hashing: `
      crypto/sha*, crypto/hmac.*, crypto/internal/fips140/sha*, crypto/internal/fips140/hmac*,
      crypto/internal/fips140/hkdf*, crypto/internal/fips140/tls1*, crypto/md5.*
    `,
    tls: 'crypto/tls.*, crypto/*',
    memory:
      'runtime.mallocgc*, runtime.newobject*, runtime.makeslice*, runtime.growslice*, runtime.(*mcache)*',
    garbage: 'runtime.gc*, runtime.scanobject*, runtime.greyobject*, runtime.sweepone*, runtime.wb*',
    scheduling: `
      runtime.schedule*, runtime.findRunnable*, runtime.park*, runtime.futex*, runtime.netpoll*,
      runtime.mcall*, runtime.gopark*, runtime.goready*, runtime.ready*, runtime.usleep*, runtime.lock*,
      runtime.unlock*, runtime.exitsyscall*, runtime.entersyscall*, runtime.casgstatus*, runtime.mstart*,
      runtime.runqgrab*, runtime.stealWork*, runtime.wakep*, runtime.startm*, runtime.stopm*
    `,
  }),
  ...rulesOf('JDK', {
    encryption:
      'com.sun.crypto.*, javax.crypto.Cipher*, javax.crypto.CipherSpi*, sun.security.ssl.SSLCipher*',
    keyAgreement: `
      java.security.KeyPairGenerator*, javax.crypto.KeyAgreement*, java.security.SecureRandom*,
      sun.security.ec.XDH*, sun.security.ec.ECDH*, sun.security.ssl.KAKeyDerivation*
    `,
    signature: `
      java.security.Signature*, sun.security.rsa.*, sun.security.x509.*, sun.security.ec.ECDSA*
    `,
    arithmetic:
      'sun.security.ec.*, sun.security.util.math.*, java.math.*, sun.security.jca.*, sun.security.util.*',
    hashing: `
      sun.security.provider.*, java.security.MessageDigest*, javax.crypto.Mac*,
      com.sun.crypto.provider.Hmac*, com.sun.crypto.provider.Tls*, sun.security.ssl.HKDF*,
      sun.security.ssl.HandshakeHash*
    `,
    tls: 'sun.security.*, java.security.*, javax.net.ssl.*',
    copying: `
      Copy::*, jbyte_*, jlong_*, Unsafe_CopyMemory*, java.util.Arrays.copy*, java.nio.HeapByteBuffer.put,
      java.nio.HeapByteBuffer.get, java.nio.DirectByteBuffer.put, java.nio.DirectByteBuffer.get,
      java.nio.ByteBuffer.put, java.nio.ByteBuffer.get
    `,
  }),
  ...rulesOf('V8', {
    javascript: 'Builtins_*, v8::*, node::builtins::*',
    garbage: `
      v8::internal::Heap::*, v8::internal::Sweeper*, v8::internal::Concurrent*,
      v8::internal::IncrementalMarking*
    `,
  }),
  ...rulesOf('Node', {
    tls: 'node::crypto::*, node::TLSWrap*, ncrypto::*',
  }),
];

/** Linux: `net/`, `mm/`, `fs/`, `kernel/sched/`, and the entry of system calls (https://elixir.bootlin.com/linux). */
const kernelRules: readonly CostRule[] = [
  ...wholeRulesOf('kernel', {
    receive: 'net_rx_action, __napi_poll, process_backlog, __netif_receive_skb*',
    memory: 'asm_exc_page_fault, exc_page_fault, do_user_addr_fault',
    scheduling: 'asm_sysvec_*, sysvec_*',
  }),
  ...rulesOf('kernel', {
    encryption: 'tls_push_record, tls_do_encryption, crypto_aead_*, gcmaes_*, generic_gcmaes_*, aes_gcm_*',
    copying: `
      _copy_to_iter, _copy_from_iter*, copy_page_to_iter, copy_page_from_iter*, rep_movs_*, copy_user_*,
      copyin, copyout, __skb_datagram_iter, skb_copy_*, simple_copy_to_iter, _copy_to_user, raw_copy_*,
      __check_object_size, memcpy_orig, skb_do_copy_*, fault_in_*
    `,
    memory: `
      kmem_cache_*, kmalloc*, __kmalloc*, kfree, kfree_skb*, __kfree_skb, kvfree*, ___slab_*, __slab_*,
      __alloc_skb, alloc_skb_*, skb_release_*, skb_free_*, consume_skb, napi_consume_skb,
      skb_page_frag_refill, sk_page_frag_refill, alloc_pages*, __alloc_pages*, get_page_from_freelist,
      free_unref_*, __free_pages*, put_page*, __put_page, clear_page*, tcp_stream_alloc_skb, do_mmap,
      vm_mmap_*, ksys_mmap_*, do_munmap, __x64_sys_mmap, __x64_sys_munmap, __x64_sys_brk, __x64_sys_madvise,
      mod_objcg_*, __mod_memcg_*, memcg_*, __memcg_*, obj_cgroup_*, try_charge*, charge_memcg,
      refill_obj_stock, refill_stock, __folio_put*, folio_*_lru*, alloc_empty_file, slab_*
    `,
    network: `
      tcp_*, __tcp_*, ip_*, __ip_*, ipv4_*, ip6_*, inet_*, __inet_*, inet6_*, sock_*, __sock_*, sk_*,
      __sk_*, skb_*, __skb_*, dev_*, __dev_*, loopback_xmit, netif_*, __netif_*, enqueue_to_backlog, nf_*,
      ipt_*, nft_*, neigh_*, eth_*, validate_xmit_*, __sys_send*, __sys_recv*, __sys_accept*, __sys_socket,
      __sys_shutdown, __x64_sys_send*, __x64_sys_recv*, __x64_sys_accept*, __x64_sys_shutdown,
      __x64_sys_setsockopt, __sys_setsockopt, __x64_sys_writev, __x64_sys_readv, do_epoll_*, ep_*, __ep_*,
      __x64_sys_epoll_*, lock_sock_nested, release_sock, __release_sock, do_softirq*, __do_softirq,
      handle_softirqs, csum_*, move_addr_*, sockfd_*, ____sys_*, ___sys_*, __sys_recvmsg, bictcp_*,
      cubictcp_*, bbr_*, fib_*, dst_*, raw_local_deliver, siphash*, net_*, __copy_skb_header, qdisc_*,
      copy_msghdr*, import_iovec, __import_iovec, import_single_range, do_iter_*, do_writev, do_readv,
      tls_*, select_*, do_poll, do_sys_poll, __x64_sys_poll, __x64_sys_io_uring*, io_*
    `,
    files: `
      do_sys_open*, fcntl_*, do_fcntl, __x64_sys_fcntl, posix_lock_*, do_filp_open, path_*, link_path_walk*,
      walk_component, lookup_*, __d_lookup*, d_*, dput, __dput, mntput*, mntget, do_dentry_open, vfs_open,
      may_open, inode_*, generic_*, filemap_*, ext4_*, xfs_*, btrfs_*, overlayfs_*, ovl_*, shmem_*,
      step_into, terminate_walk, complete_walk, getname*, putname, vfs_stat*, vfs_fstat*, vfs_getattr*,
      cp_new_stat, __do_sys_new*, vfs_statx, do_statx, touch_atime, atime_*, page_cache_*, xas_*, xa_*,
      do_sendfile, splice_*, do_splice_*, direct_splice_*, __x64_sys_sendfile*, iter_file_splice_*,
      __x64_sys_open*, __x64_sys_close, __fput*, fput*, ____fput, filp_close, filp_flush, open_last_*,
      task_work_*, locks_*, fsnotify*, __fsnotify*, nd_jump_root, set_root, try_to_unlazy, dnotify_*,
      __legitimize_*, legitimize_*, file_close_fd*, alloc_fd, fd_install, __x64_sys_pread64, file_ra_*,
      make_vfsuid, make_vfsgid, lockref_*, __mnt_*, mnt_*, vfs_getxattr, pagecache_*, folio_*, pipe_*,
      do_pipe*, iov_iter_*, errseq_*, init_file, file_free*, handle_mounts, traverse_*
    `,
    systemCalls: `
      entry_SYSCALL_*, do_syscall_64, x64_sys_call, syscall_*, exit_to_user_mode_prepare, entry_SYSRETQ*,
      vfs_read, vfs_write, ksys_read, ksys_write, __x64_sys_read, __x64_sys_write, __fdget*, fdget*,
      __fget*, fget*, rw_verify_area, __get_user*, __put_user*, entry_*, ret_from_fork*, srso_*,
      invoke_syscall, el0t_64_sync*, el0_svc*, do_el0_svc, new_sync_read, new_sync_write, vfs_*
    `,
    scheduling: `
      schedule*, __schedule, preempt_schedule*, try_to_wake_up, ttwu_*, wake_up_*, __wake_up*, enqueue_*,
      dequeue_*, pick_*, put_prev_*, set_next_*, update_*, select_task_rq*, select_idle_*,
      autoremove_wake_function, default_wake_function, futex_*, do_futex, __x64_sys_futex, hrtimer_*,
      __hrtimer_*, exit_to_user_mode_loop, switch_*, __switch_to*, reweight_*, check_preempt_*,
      resched_curr, native_smp_send_*, x2apic_*, native_write_msr, run_timer_*, sched_*, psi_*, cpuacct_*,
      cgroup_*, place_entity, wakeup_preempt, prepare_task_switch, nanosleep*, __x64_sys_clock_*,
      posix_cpu_clock_*, perf_*, __perf_*, ctx_sched_*, event_sched_*, mod_timer, __mod_timer, timer_*,
      __x64_sys_sched_*
    `,
  }),
];

/** Exported functions of OpenSSL, BoringSSL, and GnuTLS with Nettle and GMP, and internal ones where a build keeps their names. */
const tlsLibraryRules: readonly CostRule[] = [
  ...rulesOf('OpenSSL', {
    encryption: `
      EVP_EncryptUpdate*, EVP_DecryptUpdate*, EVP_CipherUpdate*, EVP_Cipher, EVP_EncryptFinal*,
      EVP_DecryptFinal*, EVP_CipherFinal*, EVP_CIPHER_CTX_*, EVP_EncryptInit*, EVP_DecryptInit*,
      EVP_CipherInit*, CRYPTO_gcm128_*, CRYPTO_ctr128_*, CRYPTO_cbc128_*, gcm_*, ossl_gcm_*, aesni_*,
      aes_gcm_*, aes_v8_*, ossl_aes_gcm_*, ossl_vaes_*, ossl_cipher_*, vpaes_*, ChaCha20_*, chacha20_*,
      poly1305_*, Poly1305_*, generic_aes_*, AES_*, aes_*
    `,
    keyAgreement: `
      EVP_PKEY_*, ECDH_*, X25519*, ossl_x25519*, x25519_*, DH_*, dh_*, ossl_dh_*, EVP_EncapsulateInit*, RAND_*,
      mlkem_*, ossl_ml_kem_*, ossl_ecdh_*, ecdh_*
    `,
    signature: `
      EVP_PKEY_sign*, EVP_PKEY_verify*, EVP_DigestSign*, EVP_DigestVerify*, EVP_Sign*, EVP_Verify*, ECDSA_*,
      ossl_ecdsa_*, ecdsa_*, RSA_*, rsa_*, ossl_rsa_*, ED25519_*, ossl_ml_dsa_*, X509_verify*
    `,
    arithmetic: 'EVP_PKEY_CTX_*, EC_*, BN_*, bn_*, ec_*, ecp_*, ossl_ec_*, ossl_bn_*, fe51_*, ge_*, fe_*',
    hashing: `
      EVP_Digest, EVP_DigestInit*, EVP_DigestUpdate*, EVP_DigestFinal*, EVP_MD_*, EVP_MAC_*, EVP_KDF_*,
      EVP_Q_*, HMAC*, SHA1_*, SHA256_*, SHA512_*, SHA3_*, KeccakF1600*, sha1_*, sha256_*, sha512_*,
      ossl_sha3_*, HKDF*, bssl::SSLTranscript::*
    `,
    memory: 'CRYPTO_malloc*, CRYPTO_zalloc*, CRYPTO_free*, CRYPTO_clear_free*, CRYPTO_realloc*',
    tls: `
      SSL_*, BIO_*, ERR_*, OPENSSL_*, CRYPTO_*, ssl_*, ssl3_*, tls_*, tls13_*, ossl_*, EVP_*, X509_*,
      ASN1_*, i2d_*, d2i_*, OSSL_*, WPACKET_*
    `,
  }),
  ...rulesOf('BoringSSL', {
    encryption: 'EVP_AEAD_CTX_*, aead_aes_gcm_*, aead_chacha20_*, bssl::SSLAEADContext::*, aes_hw_*',
    keyAgreement: 'bssl::SSLKeyShare::*, MLKEM*, bcm_mlkem*',
    signature: 'bssl::ssl_private_key_*',
    arithmetic: 'GFp_*, fiat_*',
    tls: 'bssl::*, CBB_*, CBS_*',
  }),
  ...rulesOf('GnuTLS', {
    encryption: 'gnutls_aead_*, gnutls_cipher_*, _gnutls_aead_*, nettle_gcm_*, nettle_aes*, nettle_chacha*',
    keyAgreement: '_gnutls_ecdh_*, nettle_curve25519_*, nettle_ecc_point_mul*',
    signature: 'gnutls_privkey_*, gnutls_pubkey_*, nettle_ecdsa_*, nettle_rsa_*',
    arithmetic: '_gnutls_pk_*, __gmpn_*, nettle_ecc_*',
    hashing: 'gnutls_hash*, gnutls_hmac*, _gnutls_hash*, nettle_sha*',
    tls: 'gnutls_*, _gnutls_*',
  }),
];

/** glibc, and what C++ and programs call its functions. */
const libcRules: readonly CostRule[] = [
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
 * Rules by library, for functions that no other rule knows, including those without a name. A library that is not listed here belongs to
 * its caller.
 */
export const libraryRules: readonly { group: CostGroup; library: RegExp }[] = [
  { group: 'tls', library: /^lib(ssl|crypto|gnutls|nettle|hogweed|gmp|tasn1|s2n)\b/ },
  { group: 'javascript', library: /^javascript$/ },
  { group: 'application', library: /^(jit|lib(pcre|z|brotli|apr|aprutil|nghttp|uv|llhttp|lua)|mod_|ngx_)/ },
];

/**
 * Which group functions belong to: data, with its source. The nearest function of a stack that a rule knows decides, and of several rules
 * the one with the longest name.
 */
export type CostRule = {
  group: RuleGroup;
  /** Whose functions they are. */
  source: 'OpenSSL' | 'BoringSSL' | 'GnuTLS' | 'Go' | 'JDK' | 'V8' | 'Node' | 'libc' | 'kernel';
  /** Everything that they call is theirs too. */
  whole?: true;
  /** One that ends in `*` stands for all names with this beginning. */
  names: readonly string[];
};

/** Arithmetic of handshakes belongs to the key agreement or the signature that calls it. */
export type RuleGroup = CostGroup | 'arithmetic';

/** The names of each group, separated by commas. */
type Groups = Partial<Record<RuleGroup, string>>;

function rulesOf(source: CostRule['source'], groups: Groups): CostRule[] {
  return Object.entries(groups).map(([group, text]) => ({
    ...{ group: group as RuleGroup, source },
    names: namesIn(text),
  }));
}

/** Rules for functions that include everything they call. */
function wholeRulesOf(source: CostRule['source'], groups: Groups): CostRule[] {
  return rulesOf(source, groups).map((rule) => ({ ...rule, whole: true }));
}

function namesIn(text: string): string[] {
  return text.trim().split(/,\s+/);
}
