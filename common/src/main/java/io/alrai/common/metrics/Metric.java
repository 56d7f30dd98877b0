package io.alrai.common.metrics;

/**
 * Everything that is counted or measured. The names are part of what Alrai promises: docs/reference
 * /metrics.md lists them, and what each is measured of.
 */
public enum Metric {
  CONNECTIONS("alrai_connections", Kind.NOW, "clients that are logged in"),
  ABORTED_CONNECTS(
      "alrai_aborted_connects_total",
      Kind.COUNT,
      "clients that went, or were sent away, before they were logged in"),
  TLS_ACCEPTS("alrai_tls_accepts_total", Kind.COUNT, "TLS handshakes that clients began"),
  TLS_FINISHED_ACCEPTS(
      "alrai_tls_finished_accepts_total", Kind.COUNT, "those of them that were finished"),
  PASSWORD_HASHES(
      "alrai_password_hashes_total", Kind.COUNT, "passwords that were compared with a slow hash"),
  DELAYED_LOGINS(
      "alrai_delayed_logins_total", Kind.COUNT, "logins that waited after wrong passwords"),
  LIMITED_LOGINS(
      "alrai_limited_logins_total",
      Kind.COUNT,
      "logins that were refused as their account had enough sessions"),
  BACKEND_CONNECTIONS(
      "alrai_backend_connections", Kind.NOW, "connections to the mysqld, busy and idle"),
  BACKEND_WAITS(
      "alrai_backend_wait_seconds",
      Kind.LATENCY,
      "waits for a connection to the mysqld, of who found no idle one"),
  UNFIT_CONNECTIONS(
      "alrai_unfit_connections_total",
      Kind.COUNT,
      "connections to the mysqld that were closed, as they could not serve another session"),
  LOST_REPLIES(
      "alrai_lost_replies_total",
      Kind.COUNT,
      "connections to the mysqld that were closed, as a reply was due that would never come"),
  STATEMENTS("alrai_statements_total", Kind.COUNT, "statements of clients, each one of a text"),
  STATEMENT_ERRORS("alrai_statement_errors_total", Kind.COUNT, "errors that clients were told"),
  SLOW_STATEMENTS(
      "alrai_slow_statements_total",
      Kind.COUNT,
      "statements that took longer than long_query_time"),
  SLOW_LOG_LOST(
      "alrai_slow_log_lost_total",
      Kind.COUNT,
      "slow statements that the slow log lacks: its disk was full, or there were too many"),
  SPANS_SENT("alrai_spans_sent_total", Kind.COUNT, "spans that a collector has taken"),
  SPANS_LOST(
      "alrai_spans_lost_total",
      Kind.COUNT,
      "spans that no collector has: none took them, or too many waited"),
  CLIENT_TIMEOUTS(
      "alrai_client_timeouts_total",
      Kind.COUNT,
      "connections that were closed as their clients took, or sent, nothing"),
  SILENT_AGENTS(
      "alrai_silent_agents_total",
      Kind.COUNT,
      "times that the connections to an agent were closed as it did not answer"),
  SILENT_NODES(
      "alrai_silent_nodes_total",
      Kind.COUNT,
      "CNs that did not answer in time what this one asked all of them"),
  CCL_RUNNING("alrai_ccl_running", Kind.NOW, "statements at work that a CCL rule is about"),
  CCL_WAITING("alrai_ccl_waiting", Kind.NOW, "statements that wait for a place of a CCL rule"),
  CCL_WAITS("alrai_ccl_waits_total", Kind.COUNT, "statements that had to wait for one"),
  CCL_REFUSED(
      "alrai_ccl_refused_total",
      Kind.COUNT,
      "statements that a CCL rule refused, at once or after a wait"),
  ADMISSION_LIMIT("alrai_admission_limit", Kind.NOW, "statements that may be at work at a time"),
  ADMISSION_WAITING("alrai_admission_waiting", Kind.NOW, "statements that wait for a place"),
  ADMISSION_REFUSED(
      "alrai_admission_refused_total", Kind.COUNT, "statements that got no place in time"),
  UNHEARD_KILLS(
      "alrai_unheard_kills_total",
      Kind.COUNT,
      "KILLs, and clients' leavings, that did not end a statement within a minute"),
  STATEMENT_TIMEOUTS(
      "alrai_statement_timeouts_total",
      Kind.COUNT,
      "statements that were ended as their time was over"),
  STATEMENTS_AGAIN(
      "alrai_statements_again_total",
      Kind.COUNT,
      "statements that were run again as a connection to a DN broke and nothing had been done"),
  REPLICA_READS(
      "alrai_replica_reads_total",
      Kind.COUNT,
      "statements whose reads were sent to members of DNs that follow"),
  REPLICA_FALLBACKS(
      "alrai_replica_fallbacks_total",
      Kind.COUNT,
      "of these, statements that were read at the leaders, as members did not answer them"),
  SNAPSHOTS("alrai_snapshots_total", Kind.COUNT, "snapshots that were opened for reads"),
  SNAPSHOT_REFUSALS(
      "alrai_snapshot_refusals_total",
      Kind.COUNT,
      "refusals by DNs that showed more than the snapshot; all is asked again at a later one"),
  SNAPSHOT_MOVES(
      "alrai_snapshot_moves_total",
      Kind.COUNT,
      "transactions that read again at a later snapshot, as a DN showed more than theirs"),
  SNAPSHOT_WAITS(
      "alrai_snapshot_wait_seconds_total", Kind.SECONDS, "time until the views were open"),
  TWO_PHASE_COMMITS(
      "alrai_2pc_commits_total", Kind.COUNT, "commits over several DNs that were begun"),
  TWO_PHASE_PREPARED("alrai_2pc_prepared_total", Kind.COUNT, "those that were prepared everywhere"),
  TWO_PHASE_PREPARES(
      "alrai_2pc_prepare_seconds_total", Kind.SECONDS, "from the begin until all is prepared"),
  TWO_PHASE_DECIDED("alrai_2pc_decided_total", Kind.COUNT, "those that were decided: committed"),
  TWO_PHASE_DECISIONS(
      "alrai_2pc_decide_seconds_total", Kind.SECONDS, "from there until the decision is visible"),
  TWO_PHASE_FINISHED(
      "alrai_2pc_finished_total", Kind.COUNT, "those that became visible on every DN"),
  TWO_PHASE_FINISHES(
      "alrai_2pc_finish_seconds_total", Kind.SECONDS, "from the decision until then"),
  TWO_PHASE_ROLLBACKS("alrai_2pc_rollbacks_total", Kind.COUNT, "those that were rolled back"),
  TWO_PHASE_IN_DOUBT(
      "alrai_2pc_in_doubt_total", Kind.COUNT, "those whose client was not told the outcome"),
  STATEMENT_TIMES(
      "alrai_statement_seconds",
      Kind.LATENCY,
      "from a client's statement until its answer is on its way"),
  COMMIT_TIMES(
      "alrai_commit_seconds",
      Kind.LATENCY,
      "from a session's commit until it is decided, or has failed"),
  COLUMN_SELECTS("alrai_column_selects_total", Kind.COUNT, "SELECTs that column indexes answered"),
  COLUMN_SELECTS_LEFT(
      "alrai_column_selects_left_total",
      Kind.COUNT,
      "SELECTs that were begun there and then left to the row store"),
  COLUMN_BUILDS_FAILED(
      "alrai_column_builds_failed_total",
      Kind.COUNT,
      "column indexes that failed, or could not be built"),
  ANALYTIC_CPU(
      "alrai_ap_cpu_seconds_total", Kind.SECONDS, "processor time of queries over column indexes"),
  ANALYTIC_WAITING("alrai_ap_waiting", Kind.NOW, "such queries that wait until they may begin"),
  ANALYTIC_SLOW(
      "alrai_ap_slow", Kind.NOW, "those that have left their places to others, being slow"),
  ANALYTIC_MEMORY("alrai_ap_memory_bytes", Kind.NOW, "bytes off the heap that they hold"),
  ANALYTIC_DISK("alrai_ap_disk_bytes", Kind.NOW, "bytes on disk that they hold"),
  ANALYTIC_SPILLED(
      "alrai_ap_spilled_bytes_total",
      Kind.COUNT,
      "bytes that they wrote to disk, as their memory was not enough"),
  CURSORS("alrai_cursors", Kind.NOW, "cursors that clients have open"),
  CURSOR_DISK("alrai_cursor_disk_bytes", Kind.NOW, "bytes on disk that their rows take"),
  CURSOR_SPILLED(
      "alrai_cursor_spilled_bytes_total", Kind.COUNT, "bytes of rows that went to disk for them"),
  DDL_SLOW_STEPS(
      "alrai_ddl_slow_steps_total", Kind.COUNT, "steps of DDL jobs that took longer than 60 s"),
  DDL_JOBS("alrai_ddl_jobs", Kind.NOW, "DDL jobs at work in the cluster"),
  DDL_AGE("alrai_ddl_oldest_seconds", Kind.NOW, "how long the oldest of them has been at work"),
  DDL_FAILURES("alrai_ddl_failures_total", Kind.COUNT, "DDL jobs of this CN that have failed"),
  CLOCK_AHEAD(
      "alrai_clock_ahead_seconds",
      Kind.NOW,
      "how far the clock of stamps is ahead of this machine's time"),
  TSO_REQUESTS(
      "alrai_tso_requests_total", Kind.COUNT, "requests to the GMS for timestamps, each for many"),
  TSO_TIMESTAMPS("alrai_tso_timestamps_total", Kind.COUNT, "timestamps that they brought"),
  GMS_RETRIES(
      "alrai_gms_retries_total",
      Kind.COUNT,
      "requests to the GMS that were sent again, as no leader had answered"),
  GMS_WAITS(
      "alrai_gms_retry_seconds_total",
      Kind.SECONDS,
      "time that requests to the GMS took which were sent more than once"),
  GMS_CALLS("alrai_gms_call_seconds", Kind.LATENCY, "requests to the GMS until they are answered"),
  GMS_LEADS("alrai_gms_leads", Kind.NOW, "1 while this node leads the GMS, else 0"),
  GMS_TERM("alrai_gms_term", Kind.NOW, "the highest term that this node has heard of"),
  GMS_APPLIED("alrai_gms_applied_index", Kind.NOW, "the last entry of its log that it has applied"),
  GATE_TRANSACTIONS(
      "alrai_gate_transactions_total", Kind.COUNT, "transactions that the gate let become visible"),
  ROWS_FOUND(
      "alrai_row_cache_hits_total",
      Kind.COUNT,
      "reads that were answered by replies that were kept"),
  GATE_OPENS("alrai_gate_opens_total", Kind.COUNT, "views that were asked for at a snapshot"),
  GATE_REFUSALS(
      "alrai_gate_refusals_total", Kind.COUNT, "those that came too late, or waited for 2 s"),
  GATE_WAITS("alrai_gate_wait_seconds_total", Kind.SECONDS, "from there until they were answered"),
  GATE_OPEN_TIMES("alrai_gate_open_seconds", Kind.LATENCY, "the same, as a distribution"),
  GATE_CUTS("alrai_gate_cuts_total", Kind.COUNT, "cuts: one serves every view of its place"),
  GATE_CUTS_MOVED(
      "alrai_gate_cuts_moved_total",
      Kind.COUNT,
      "cuts that were in the middle of a commit group and moved on"),
  GATE_HOLDS(
      "alrai_gate_hold_seconds_total",
      Kind.SECONDS,
      "time for which commits after a cut were kept invisible"),
  GATE_AWAITS(
      "alrai_gate_awaits_total",
      Kind.COUNT,
      "views that had to wait until a commit became visible"),
  GATE_VIEWS_GIVEN_UP(
      "alrai_gate_views_given_up_total",
      Kind.COUNT,
      "views whose connections were closed, as they were not open within 5 s and held commits up"),
  GATE_PUSHES(
      "alrai_gate_pushes_total",
      Kind.COUNT,
      "primaries that were asked to commit above a snapshot, if at all"),
  GATE_PUSHES_ANSWERED(
      "alrai_gate_pushes_answered_total", Kind.COUNT, "the same, answered by this DN as primary"),
  IN_DOUBT_BRANCHES(
      "alrai_in_doubt_branches",
      Kind.NOW,
      "prepared branches whose outcome the DN does not know yet"),
  IN_DOUBT_AGE("alrai_in_doubt_age_seconds", Kind.NOW, "how long the oldest of them is prepared"),
  HELD_REPLIES(
      "alrai_held_replies_total",
      Kind.COUNT,
      "times that an agent's answers waited until its group had confirmed that it leads"),
  LOG_BYTES_SENT(
      "alrai_log_bytes_sent_total",
      Kind.COUNT,
      "bytes of the DN's log that were sent to column nodes"),
  LEFT_STATEMENTS(
      "alrai_left_statements_total",
      Kind.COUNT,
      "statements that were ended at the mysqld, as their connection was closed while they were at"
          + " work"),
  COMMIT_STALL(
      "alrai_commit_stall_seconds",
      Kind.NOW,
      "for how long commits have waited at the mysqld while none became visible"),
  MYSQLD_UP(
      "alrai_mysqld_up",
      Kind.NOW,
      "1 while the mysqld answers when its status is asked for, else 0"),
  MYSQLD_ANSWER(
      "alrai_mysqld_answer_seconds",
      Kind.NOW,
      "how long the mysqld takes, or took, to say its status"),
  MYSQLD_SILENCES(
      "alrai_mysqld_silences_total",
      Kind.COUNT,
      "times that the mysqld did not say its status in time"),
  MYSQLD_CONNECTED("alrai_mysqld_threads_connected", Kind.NOW, "its connections"),
  MYSQLD_RUNNING("alrai_mysqld_threads_running", Kind.NOW, "those at work"),
  MYSQLD_QUESTIONS("alrai_mysqld_questions_total", Kind.COUNT, "statements that it was sent"),
  MYSQLD_ROWS_READ("alrai_mysqld_rows_read_total", Kind.COUNT, "rows that it has read"),
  MYSQLD_ROWS_WRITTEN(
      "alrai_mysqld_rows_written_total", Kind.COUNT, "rows that it has inserted, updated, deleted"),
  MYSQLD_ROWS_SCANNED(
      "alrai_mysqld_rows_scanned_total",
      Kind.COUNT,
      "rows that it has read by going through tables"),
  MYSQLD_POOL_REQUESTS(
      "alrai_mysqld_buffer_pool_requests_total", Kind.COUNT, "pages that were asked for"),
  MYSQLD_POOL_READS(
      "alrai_mysqld_buffer_pool_reads_total", Kind.COUNT, "those that were read from disk"),
  MYSQLD_POOL_DIRTY(
      "alrai_mysqld_buffer_pool_dirty_bytes", Kind.NOW, "changed pages that are not on disk yet"),
  MYSQLD_LOCKS_WAITING(
      "alrai_mysqld_row_locks_waiting", Kind.NOW, "transactions that wait for a row lock"),
  MYSQLD_LOCK_WAITS(
      "alrai_mysqld_row_lock_wait_seconds_total",
      Kind.SECONDS,
      "time that was waited for row locks"),
  MYSQLD_LOCK_WAIT(
      "alrai_mysqld_oldest_lock_wait_seconds", Kind.NOW, "for how long the oldest of them waits"),
  MYSQLD_TRANSACTION(
      "alrai_mysqld_oldest_transaction_seconds", Kind.NOW, "how old its oldest transaction is"),
  MYSQLD_LOG_WAITS(
      "alrai_mysqld_log_waits_total", Kind.COUNT, "waits for room in the buffer of the redo log"),
  MYSQLD_BINLOG_DISK(
      "alrai_mysqld_binlog_disk_transactions_total",
      Kind.COUNT,
      "transactions whose changes went through a file before the binary log"),
  MEMBER_LEADS("alrai_member_leads", Kind.NOW, "1 while this member leads its group, else 0"),
  MEMBER_TERM("alrai_member_term", Kind.NOW, "the highest term that this member has heard of"),
  MEMBER_ELECTIONS(
      "alrai_member_elections_total",
      Kind.COUNT,
      "times that this member has heard that somebody leads"),
  MEMBER_PROMOTIONS("alrai_member_promotions_total", Kind.COUNT, "leads of this member"),
  MEMBER_PROMOTION_TIMES(
      "alrai_member_promotion_seconds_total",
      Kind.SECONDS,
      "from their elections until the mysqld took writes"),
  MEMBER_KEPT_TIME(
      "alrai_member_kept_time_total",
      Kind.COUNT,
      "leads that this member gave away with time that was reserved still"),
  MEMBER_SILENCE(
      "alrai_member_silence_seconds",
      Kind.NOW,
      "for how long the most silent of the others has not answered this leader"),
  MEMBER_COMMITTED(
      "alrai_member_committed_index",
      Kind.NOW,
      "the last committed entry that this member has heard of"),
  MEMBER_APPLIED(
      "alrai_member_applied_index",
      Kind.NOW,
      "the last entry with a transaction up to which its mysqld has all"),
  MEMBER_LAG(
      "alrai_member_apply_lag_seconds",
      Kind.NOW,
      "how old the oldest committed transaction is that its mysqld has not"),
  MEMBER_LOG_BYTES("alrai_member_log_bytes", Kind.NOW, "what its log takes on disk"),
  MEMBER_RESERVED(
      "alrai_member_clock_reserved_seconds",
      Kind.NOW,
      "how far the group's clock is reserved ahead of this machine's time"),
  MEMBER_APPENDS(
      "alrai_member_append_seconds",
      Kind.LATENCY,
      "from an entry of the group's log until a majority has it"),
  MEMBER_HELD_COMMITS(
      "alrai_member_held_commits_total",
      Kind.COUNT,
      "acknowledgements that waited until a follower had caught up, each for all of an entry"),
  MEMBER_HOLDS("alrai_member_hold_seconds_total", Kind.SECONDS, "for how long they waited"),
  DISK_FREE("alrai_disk_free_bytes", Kind.NOW, "what is free where the process keeps its data"),
  DISK_SIZE(
      "alrai_disk_size_bytes", Kind.NOW, "how large the disk is where the process keeps its data"),
  MEMBER_CERTIFICATE_END(
      "alrai_member_certificate_end_seconds",
      Kind.NOW,
      "when the process' certificate for other nodes ends, since 1970"),
  PROCESS_CPU("process_cpu_seconds_total", Kind.SECONDS, "processor time of the process"),
  PROCESS_START("process_start_time_seconds", Kind.NOW, "when it began, since 1970"),
  PROCESS_MEMORY("process_resident_memory_bytes", Kind.NOW, "its memory that is in use"),
  PROCESS_FDS("process_open_fds", Kind.NOW, "its open files and connections"),
  PROCESS_FDS_MOST("process_max_fds", Kind.NOW, "how many it may have"),
  JVM_MEMORY("jvm_memory_used_bytes", Kind.NOW, "memory of the JVM, heap and the rest"),
  JVM_MEMORY_MOST("jvm_memory_max_bytes", Kind.NOW, "how much of it there may be"),
  JVM_THREADS("jvm_threads_current", Kind.NOW, "threads of the operating system"),
  JVM_GC_COUNT("jvm_gc_collections_total", Kind.COUNT, "collections of garbage"),
  JVM_GC_TIME("jvm_gc_pause_seconds_total", Kind.SECONDS, "time for which they have taken");

  /** What the value is. */
  public enum Kind {
    /** A number of events since the process began. */
    COUNT,
    /** A time in seconds since the process began, the sum of many; counted in nanoseconds. */
    SECONDS,
    /** What there is now. */
    NOW,
    /** How long something takes: a distribution, recorded in nanoseconds. */
    LATENCY
  }

  private final String label;
  private final Kind kind;
  private final String help;

  Metric(String label, Kind kind, String help) {
    this.label = label;
    this.kind = kind;
    this.help = help;
  }

  /** Its name in Prometheus. */
  public String label() {
    return label;
  }

  /** Its name in SHOW STATUS: the same with a capital letter, as is usual there. */
  public String statusName() {
    String name = Character.toUpperCase(label.charAt(0)) + label.substring(1);
    return kind == Kind.LATENCY ? name + "_p99" : name;
  }

  /** What the value is. */
  public Kind kind() {
    return kind;
  }

  /** One line that says what it is. */
  public String help() {
    return help;
  }
}
