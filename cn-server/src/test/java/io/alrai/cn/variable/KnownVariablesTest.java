package io.alrai.cn.variable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.variable.KnownVariable.InGlobal;
import io.alrai.cn.variable.KnownVariable.InSession;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.VariableName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownVariablesTest {
  private static KnownVariable of(String name) {
    return KnownVariables.of(VariableName.of(name)).orElseThrow();
  }

  @Test
  void everyLineIsOfItsOwn() {
    assertEquals(634, KnownVariables.all().size());
  }

  /** On a pooled connection these would be felt by whoever gets it next, or cannot be undone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "completion_type",
        "insert_id",
        "rand_seed1",
        "rand_seed2",
        "pseudo_thread_id",
        "pseudo_replica_mode",
        "original_commit_timestamp",
        "gtid_next",
        "sql_log_bin",
        "sql_log_off",
        "binlog_format",
        "xa_detach_on_prepare",
        "autocommit",
        "net_write_timeout",
        "wait_timeout"
      })
  void noBackendIsToldOf(String name) {
    assertFalse(KnownVariables.isOfBackends(name));
  }

  /** Commits, their order, the gate, rights and the log depend on these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sync_binlog",
        "innodb_flush_log_at_trx_commit",
        "innodb_doublewrite",
        "binlog_order_commits",
        "binlog_error_action",
        "binlog_expire_logs_seconds",
        "binlog_expire_logs_auto_purge",
        "binlog_encryption",
        "binlog_checksum",
        "max_binlog_size",
        "innodb_deadlock_detect",
        "gtid_mode",
        "enforce_gtid_consistency",
        "rpl_semi_sync_source_timeout",
        "partial_revokes",
        "mandatory_roles",
        "activate_all_roles_on_login",
        "default_password_lifetime",
        "event_scheduler",
        "general_log_file",
        "init_connect",
        "offline_mode",
        "super_read_only",
        "server_id"
      })
  void noServerIsToldOf(String name) {
    InGlobal global = of(name).global();
    assertTrue(global == InGlobal.REFUSED || global == InGlobal.FIXED, name + " " + global);
  }

  @Test
  void errorsAreMysqls() {
    assertErrno(1229, () -> of("max_connections").requireOfSession());
    assertErrno(1238, () -> of("datadir").requireOfSession());
    assertErrno(1621, () -> of("max_allowed_packet").requireOfSession());
    assertErrno(1238, () -> of("datadir").requireGlobal());
    assertErrno(1238, () -> of("error_count").requireGlobal());
    assertErrno(1228, () -> of("insert_id").requireGlobal());
    assertErrno(1694, () -> of("sql_log_bin").requireOutside(true));
    assertErrno(1766, () -> of("explicit_defaults_for_timestamp").requireOutside(true));
    of("sql_log_bin").requireOutside(false);
    of("sql_mode").requireOutside(true);
    of("sql_mode").requireOfSession();
    of("sql_mode").requireGlobal();
  }

  @Test
  void keyCachesHaveTheVariablesOfTheFirst() {
    assertEquals(of("key_buffer_size"), of("hot.key_buffer_size"));
    assertTrue(KnownVariables.of(VariableName.of("a.sql_mode")).isEmpty());
  }

  @Test
  void whatIsSetOnConnectionsIsSeenByAllRules() {
    for (KnownVariable variable : KnownVariables.all()) {
      boolean backend = variable.session() == InSession.BACKEND;
      assertTrue(!backend || variable.within() == 0, variable.name() + " fails in a transaction");
      assertTrue(
          !backend || List.of(InGlobal.KEPT, InGlobal.SESSION_ONLY).contains(variable.global()),
          variable.name() + " would differ between the connections of a pool");
    }
  }

  private static void assertErrno(int errno, org.junit.jupiter.api.function.Executable work) {
    assertEquals(errno, assertThrows(AlraiException.class, work).errno());
  }

  /** What a mysqld keeps of a session's statements is another's to read on the next connection. */
  @Test
  void noConnectionRecordsWhatASessionSends() {
    for (KnownVariable known : KnownVariables.all()) {
      String name = known.name().text();
      if (name.startsWith("optimizer_trace") || name.startsWith("profiling")) {
        assertEquals(KnownVariable.InSession.KEPT, known.session(), name);
        assertFalse(KnownVariables.isOfBackends(name), name);
      }
    }
  }
}
