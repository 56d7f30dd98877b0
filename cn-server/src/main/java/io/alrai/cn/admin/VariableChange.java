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

/** What a SET changes, until all of it is known to be right. */
final class VariableChange {
  final Session session;

  /** Those that mysqlds have, with what has been changed so far. */
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

  /** With the values that user variables had before. */
  SessionSettings backend() {
    return settings.withUserVariables(session.variables().ofUser());
  }

  /** Variables that mysqlds have: SQL literals by name, empty ones for DEFAULT. */
  void keep(Map<String, String> changes) {
    settings = session.cnSettings().with(settings, changes);
  }

  /** Something that cannot fail. */
  void effect(Consumer<Session> change) {
    effects.add(change);
  }

  /** Makes it all so, first what may fail. */
  void apply(StatementRun run, GlobalSettings keeper) {
    keeper.keep(globals);
    stamp.ifPresent(run.shards()::saw);
    if (autocommit.isPresent() && autocommit.get() && !session.defaults().autocommit()) {
      run.shards().onLoop(session.transaction()::commit);
    }
    apply();
  }

  /** Makes so what cannot fail. */
  void apply() {
    effects.forEach(effect -> effect.accept(session));
    autocommit.ifPresent(session.defaults()::autocommit);
    analytic.ifPresent(session.cnSettings()::analytic);
    session.variables().settings(settings);
    session.variables().assign(userVariables);
    session.variables().lexicalMode(SettingsCharset.lexicalMode(settings));
  }
}
