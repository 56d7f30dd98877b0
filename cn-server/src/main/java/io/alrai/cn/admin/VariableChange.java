package io.alrai.cn.admin;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a SET changes, until all of it is known to be right. */
final class VariableChange {
  final Session session;
  SessionSettings settings;
  final Map<String, String> userVariables = new HashMap<>();
  final List<Condition> warnings = new ArrayList<>();
  Optional<Boolean> autocommit = Optional.empty();
  Optional<Boolean> readOnly = Optional.empty();

  /** Whether the next transaction alone is read-only. */
  Optional<Boolean> nextReadOnly = Optional.empty();

  /** The isolation of the next transaction alone, as in {@code READ COMMITTED}. */
  Optional<String> nextIsolation = Optional.empty();

  Optional<Long> lastInsertId = Optional.empty();
  Optional<Boolean> eventual = Optional.empty();
  Optional<Boolean> conflicts = Optional.empty();
  Optional<Boolean> globalConflicts = Optional.empty();
  Optional<Boolean> rowCache = Optional.empty();
  final Map<String, String> globals = new LinkedHashMap<>();
  final Map<String, Long> idleness = new HashMap<>();
  Optional<Boolean> secureTransport = Optional.empty();
  Optional<AnalyticSettings> analytic = Optional.empty();
  Optional<HlcTimestamp> stamp = Optional.empty();
  Optional<String> workload = Optional.empty();
  Optional<CompletionType> completion = Optional.empty();
  Optional<Long> insertId = Optional.empty();
  final Map<String, Long> seeds = new HashMap<>();

  /** SQL literals; empty ones for DEFAULT. */
  final Map<String, String> kept = new HashMap<>();

  VariableChange(Session session) {
    this.session = session;
    this.settings = session.variables().settings();
  }

  /** With the values that user variables had before. */
  SessionSettings backend() {
    return settings.withUserVariables(session.variables().ofUser());
  }

  /** Makes it all so. */
  void apply(StatementRun run, GlobalSettings keeper) {
    keeper.keep(globals);
    secureTransport.ifPresent(session.cnSettings().transport()::required);
    stamp.ifPresent(run.shards()::saw);
    if (autocommit.isPresent() && autocommit.get() && !session.defaults().autocommit()) {
      run.shards().onLoop(session.transaction()::commit);
    }
    seeds.forEach(session.own()::seed);
    session.variables().settings(settings);
    session.variables().assign(userVariables);
    autocommit.ifPresent(session.defaults()::autocommit);
    readOnly.ifPresent(session.defaults()::readOnly);
    nextReadOnly.ifPresent(session.defaults().next()::readOnly);
    nextIsolation.ifPresent(session.defaults().next()::isolation);
    idleness.forEach(session.idleness()::bound);
    lastInsertId.ifPresent(session.last()::lastInsertId);
    eventual.ifPresent(session.reads()::eventual);
    conflicts.ifPresent(session.reads()::conflicts);
    globalConflicts.ifPresent(session.cnSettings()::conflicts);
    rowCache.ifPresent(session.cnSettings()::rowCache);
    analytic.ifPresent(session.cnSettings()::analytic);
    workload.ifPresent(value -> session.own().workload(OwnVariables.workload(value)));
    completion.ifPresent(session.own()::completion);
    insertId.ifPresent(session.own()::insertId);
    kept.forEach(session.own()::kept);
    session.variables().lexicalMode(SettingsCharset.lexicalMode(settings));
  }
}
