package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
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
import java.util.function.Consumer;

/** The changes of a SET, collected until the whole statement is known to be valid. */
final class VariableChange {
  final Session session;

  /** The mysqlds' variables, with the changes so far. */
  SessionSettings settings;

  final Map<String, String> userVariables = new HashMap<>();
  final List<Condition> warnings = new ArrayList<>();

  /** Global variables that the GMS keeps: SQL literals, empty ones for DEFAULT. */
  final Map<String, String> globals = new LinkedHashMap<>();

  Optional<Boolean> autocommit = Optional.empty();
  Optional<HlcTimestamp> stamp = Optional.empty();
  Optional<AnalyticSettings> analytic = Optional.empty();
  private final List<Consumer<Session>> effects = new ArrayList<>();

  VariableChange(Session session) {
    this.session = session;
    this.settings = session.variables().settings();
  }

  /** The changed settings, but user variables have the values from before. */
  SessionSettings backend() {
    return settings.withUserVariables(session.variables().ofUser());
  }

  /** Changes variables that mysqlds have: SQL literals by name, empty for DEFAULT. */
  void keep(Map<String, String> changes) {
    settings = session.cnSettings().with(settings, changes);
  }

  /** Adds a change that cannot fail. */
  void effect(Consumer<Session> change) {
    effects.add(change);
  }

  /** Applies all changes, first those that may fail. */
  void apply(StatementRun run, GlobalSettings keeper) {
    keeper.keep(globals);
    stamp.ifPresent(run.shards()::saw);
    if (autocommit.isPresent() && autocommit.get() && !session.defaults().autocommit()) {
      run.shards().onLoop(session.transaction()::commit);
    }
    apply();
  }

  /** Applies the changes that cannot fail. */
  void apply() {
    effects.forEach(effect -> effect.accept(session));
    autocommit.ifPresent(session.defaults()::autocommit);
    analytic.ifPresent(session.cnSettings()::analytic);
    session.variables().settings(settings);
    session.variables().assign(userVariables);
    session.variables().lexicalMode(SettingsCharset.lexicalMode(settings));
  }
}
