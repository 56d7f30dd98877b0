package io.alrai.cn.admin;

import static java.util.Map.entry;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.VariableValue;
import io.alrai.cn.snapshot.ReplicaReads;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.GroupLimit;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.alrai.optimizer.api.workload.Workload;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The variables whose values the CN has: how SET reads each, and what it changes when all of the
 * SET is right. Stateless.
 */
final class CnAssignments {
  /** Reads a value. */
  interface Reader {
    /**
     * Notes what changes.
     *
     * @throws AlraiException when the variable does not take the value
     */
    void read(WrittenValue value, VariableChange change);
  }

  private static final Map<String, Reader> OF_SESSION =
      Map.ofEntries(
          entry("autocommit", (value, change) -> change.autocommit = Optional.of(value.isOn())),
          entry("transaction_read_only", CnAssignments::readOnly),
          entry("transaction_isolation", CnAssignments::isolation),
          entry(CompletionType.NAME, CnAssignments::completion),
          entry(Idleness.WAIT_TIMEOUT, CnAssignments::idleness),
          entry(Idleness.INTERACTIVE_TIMEOUT, CnAssignments::idleness),
          entry("last_insert_id", CnAssignments::lastInsertId),
          entry("identity", CnAssignments::lastInsertId),
          entry(CnVariables.INSERT_ID, CnAssignments::insertId),
          entry(CnVariables.RAND_SEED1, CnAssignments::seed),
          entry(CnVariables.RAND_SEED2, CnAssignments::seed),
          entry(OwnVariables.READ_CONSISTENCY, CnAssignments::readConsistency),
          entry(OwnVariables.WORKLOAD_TYPE, CnAssignments::workload),
          entry(OwnVariables.CONFLICTS, CnAssignments::conflicts),
          entry(OwnVariables.STATEMENT_TIMEOUT, CnAssignments::timeout),
          entry(ReplicaSettings.LEADER_WEIGHT, CnAssignments::replicas),
          entry(ReplicaSettings.CONSISTENT, CnAssignments::replicas),
          entry(ReplicaSettings.DELAY, CnAssignments::replicas),
          entry(ReplicaSettings.WHEN_DELAYED, CnAssignments::replicas),
          entry(OwnVariables.SESSION_STAMP, CnAssignments::stamp));

  private static final Map<String, Reader> GLOBAL =
      Map.of(
          SecureTransport.REQUIRED, CnAssignments::secureTransport,
          OwnVariables.ROW_CACHE, CnAssignments::rowCache,
          OwnVariables.STATEMENT_DIGESTS, CnAssignments::digests,
          OwnVariables.CONFLICTS, CnAssignments::globalConflicts,
          OwnVariables.STATEMENT_TIMEOUT, CnAssignments::globalTimeout,
          ReplicaSettings.LEADER_WEIGHT, CnAssignments::globalReplicas,
          ReplicaSettings.CONSISTENT, CnAssignments::globalReplicas,
          ReplicaSettings.DELAY, CnAssignments::globalReplicas,
          ReplicaSettings.WHEN_DELAYED, CnAssignments::globalReplicas);

  private CnAssignments() {}

  /** The names that sessions have. */
  static Set<String> namesOfSession() {
    return OF_SESSION.keySet();
  }

  /** SET SESSION, and SET of the next transaction. */
  static void readOfSession(WrittenValue value) {
    read(OF_SESSION, value);
  }

  /** SET GLOBAL of a variable that only Alrai has, or has by itself. */
  static void readGlobal(WrittenValue value) {
    Optional<GroupLimit> limit = GroupLimit.named(value.name());
    if (limit.isPresent()) {
      limit(limit.get(), value, value.change());
    } else if (AnalyticSettings.isOne(value.name())) {
      analytic(value, value.change());
    } else {
      read(GLOBAL, value);
    }
  }

  private static void read(Map<String, Reader> readers, WrittenValue value) {
    Reader reader = readers.get(value.name());
    if (reader == null) {
      throw new IllegalStateException("the CN does not have " + value.name());
    }
    reader.read(value, value.change());
  }

  /** Refuses what is said of the next transaction while there is one. */
  static void requireNoTransaction(Session session) {
    if (session.transaction().open()) {
      throw new AlraiException(
          ErrorCode.ER_CANT_CHANGE_TX_CHARACTERISTICS,
          "Transaction characteristics can't be changed while a transaction is in progress");
    }
  }

  private static void readOnly(WrittenValue value, VariableChange change) {
    if (value.scope() == VariableScope.NEXT) {
      requireNoTransaction(change.session);
      boolean on = value.isOn();
      change.effect(session -> session.defaults().next().readOnly(on));
    } else {
      boolean on = value.isOn();
      change.effect(session -> session.defaults().readOnly(on));
    }
  }

  private static void isolation(WrittenValue value, VariableChange change) {
    if (value.scope() == VariableScope.NEXT) {
      requireNoTransaction(change.session);
      String level = value.literal().replace("'", "").replace('-', ' ');
      change.effect(session -> session.defaults().next().isolation(level));
    } else {
      change.keep(Map.of(value.name(), value.literalOrDefault()));
    }
  }

  private static void completion(WrittenValue value, VariableChange change) {
    CompletionType type =
        value.isDefault()
            ? CompletionType.initial(change.session.cnSettings().globals())
            : CompletionType.ofLiteral(value.literal());
    change.effect(session -> session.own().completion(type));
  }

  private static void idleness(WrittenValue value, VariableChange change) {
    long seconds = Long.parseLong(value.literal());
    change.effect(session -> session.idleness().bound(value.name(), seconds));
  }

  private static void lastInsertId(WrittenValue value, VariableChange change) {
    long id = Long.parseUnsignedLong(value.literalOf("last_insert_id"));
    change.effect(session -> session.last().lastInsertId(id));
  }

  private static void insertId(WrittenValue value, VariableChange change) {
    long id = Long.parseUnsignedLong(value.literal());
    change.effect(session -> session.own().insertId(id));
  }

  private static void seed(WrittenValue value, VariableChange change) {
    value.literal();
    long seed = VariableValue.of(value.evaluated()).wholeNumber();
    change.effect(session -> session.own().seed(value.name(), seed));
  }

  private static void readConsistency(WrittenValue value, VariableChange change) {
    boolean eventual = OwnVariables.isEventual(value.own("strong"));
    change.effect(session -> session.reads().eventual(eventual));
  }

  private static void workload(WrittenValue value, VariableChange change) {
    Optional<Workload> wish = OwnVariables.workload(value.own("AUTO"));
    change.effect(session -> session.own().workload(wish));
  }

  private static void conflicts(WrittenValue value, VariableChange change) {
    String byDefault = change.session.cnSettings().conflicts() ? "ON" : "OFF";
    boolean on = OwnVariables.isOn(value.name(), value.own(byDefault));
    change.effect(session -> session.reads().conflicts(on));
  }

  private static void timeout(WrittenValue value, VariableChange change) {
    String byDefault = Long.toString(change.session.cnSettings().statementMillis());
    long millis = OwnVariables.timeoutMillis(value.own(byDefault));
    change.effect(session -> session.own().statementMillis(millis));
  }

  private static void globalTimeout(WrittenValue value, VariableChange change) {
    long millis = OwnVariables.timeoutMillis(value.own("0"));
    change.effect(session -> session.cnSettings().statementMillis(millis));
  }

  private static void stamp(WrittenValue value, VariableChange change) {
    change.stamp = Optional.of(OwnVariables.stamp(value.own("0")));
  }

  private static void secureTransport(WrittenValue value, VariableChange change) {
    boolean on = OwnVariables.isOn(value.name(), value.own("OFF"));
    change.effect(session -> session.cnSettings().transport().required(on));
  }

  private static void rowCache(WrittenValue value, VariableChange change) {
    boolean on = OwnVariables.isOn(value.name(), value.own("ON"));
    change.effect(session -> session.cnSettings().rowCache(on));
  }

  private static void digests(WrittenValue value, VariableChange change) {
    boolean on = OwnVariables.isOn(value.name(), value.own("ON"));
    change.effect(session -> session.cnSettings().digests(on));
  }

  private static void globalConflicts(WrittenValue value, VariableChange change) {
    boolean on = OwnVariables.isOn(value.name(), value.own("OFF"));
    change.effect(session -> session.cnSettings().conflicts(on));
  }

  private static void replicas(WrittenValue value, VariableChange change) {
    ReplicaSettings byDefault = change.session.cnSettings().replicas();
    String written = value.own(byDefault.texts().getOrDefault(value.name(), ""));
    byDefault.with(value.name(), written); // throws while nothing is changed yet
    change.effect(session -> {
      ReplicaReads reads = session.reads().replicas();
      reads.settings(reads.settings().with(value.name(), written));
    });
  }

  private static void globalReplicas(WrittenValue value, VariableChange change) {
    ReplicaSettings standard = ReplicaSettings.standard();
    String written = value.own(standard.texts().getOrDefault(value.name(), ""));
    standard.with(value.name(), written); // as above
    change.effect(session -> {
      SettingsRegistry registry = session.cnSettings();
      registry.replicas(registry.replicas().with(value.name(), written));
    });
  }

  /** Kept by the GMS, from which all agents have it. */
  private static void limit(GroupLimit limit, WrittenValue value, VariableChange change) {
    String kept = "";
    if (!value.isDefault()) {
      kept =
          Long.toString(
              AnalyticSettings.within(
                  limit.variable(), value.own(""), limit.least(), limit.most()));
    }
    change.globals.put(limit.variable(), kept);
  }

  private static void analytic(WrittenValue value, VariableChange change) {
    String byDefault = AnalyticSettings.standard().texts().getOrDefault(value.name(), "");
    AnalyticSettings before = change.analytic.orElseGet(change.session.cnSettings()::analytic);
    change.analytic = Optional.of(before.with(value.name(), value.own(byDefault)));
  }
}
