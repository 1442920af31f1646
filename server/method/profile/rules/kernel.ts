import { type CostRule, rulesOf, wholeRulesOf } from './cost-rule.ts';

/** Linux: `net/`, `mm/`, `fs/`, `kernel/sched/`, and the entry of system calls (https://elixir.bootlin.com/linux). */
export const kernelRules: readonly CostRule[] = [
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
