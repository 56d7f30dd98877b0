package io.alrai.cn.ddl;

import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.cn.session.SessionCharset;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.session.SettingsRegistry;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The DNs' mysqlds over the CN's links. Blocking; thread-safe. */
public final class LinkedDdlShards implements DdlShards {
  private static final String WARNINGS = ";SHOW WARNINGS";

  private final ShardQueries queries;
  private final SettingsRegistry registry;

  /** Shards over the links of these queries. */
  public LinkedDdlShards(ShardQueries queries, SettingsRegistry registry) {
    this.queries = queries;
    this.registry = registry;
  }

  @Override
  public List<DnId> dns() {
    return queries.links().dns();
  }

  @Override
  public Executed execute(DnId dn, String currentSchema, Map<String, String> settings, String sql) {
    SessionSettings all = registry.with(registry.defaults(), settings);
    ShardQueries own = queries.withSettings(all);
    byte[] text = (sql + WARNINGS).getBytes(SessionCharset.ofClient(all));
    try (ShardCall call = own.start(dn, BackendAccount.DATA, currentSchema, text)) {
      OkPacket ok = call.update();
      List<SqlWarning> warnings =
          ShardQueries.rows(call).stream()
              .map(row ->
                  new SqlWarning(
                      Objects.requireNonNullElse(row.get(0), ""),
                      Integer.parseInt(Objects.requireNonNullElse(row.get(1), "0")),
                      Objects.requireNonNullElse(row.get(2), "")))
              .toList();
      // behind a statement that names no table, CREATE TRIGGER too, those of the one before it
      return new Executed(ok.affectedRows(), ok.warnings() == 0 ? List.of() : warnings);
    } catch (AlraiException e) {
      // a syntax error quotes the text up to its end
      throw e.sentence().contains(WARNINGS)
          ? e.withSentence(e.sentence().replace(WARNINGS, ""))
          : e;
    }
  }

  @Override
  public List<SqlWarning> executeAlone(
      DnId dn, String currentSchema, Map<String, String> settings, String sql) {
    SessionSettings all = registry.with(registry.defaults(), settings);
    ShardQueries own = queries.withSettings(all);
    byte[] text = sql.getBytes(SessionCharset.ofClient(all));
    Queue<Condition> warnings = new ConcurrentLinkedQueue<>();
    try (ShardCall call = own.start(dn, BackendAccount.DATA, currentSchema, text, warnings)) {
      call.update();
    }
    return warnings.stream()
        .map(each -> new SqlWarning(each.level(), each.code(), each.message()))
        .toList();
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, String sql, Consumer<String> row) {
    SessionSettings all = registry.with(registry.defaults(), settings);
    byte[] text = sql.getBytes(SessionCharset.ofClient(all));
    try (ShardCall call = queries.withSettings(all).start(dn, BackendAccount.DATA, "", text)) {
      call.columns();
      for (byte[] next = call.nextRow(); next != null; next = call.nextRow()) {
        String value = ShardQueries.texts(next, 1).getFirst();
        if (value == null) {
          throw new AlraiException(
              ErrorCode.ER_OUT_OF_RESOURCES, "a row is longer than max_allowed_packet allows");
        }
        row.accept(value);
      }
      call.status();
    }
  }

  @Override
  public List<List<String>> query(DnId dn, String currentSchema, String sql) {
    return queries.query(dn, currentSchema, sql).stream()
        .map(row -> row.stream().map(value -> Objects.requireNonNullElse(value, "")).toList())
        .toList();
  }
}
