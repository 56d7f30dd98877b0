package io.alrai.cn.ddl.job;

import static io.alrai.dn.link.BackendAccount.ADMIN;
import static io.alrai.dn.link.BackendAccount.DDL;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.DnMembers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The DNs' mysqlds over the CN's links. Blocking; thread-safe. */
public final class LinkedDdlShards implements DdlShards {
  private static final Logger log = LoggerFactory.getLogger(LinkedDdlShards.class);

  /** Alrai's own texts about triggers, whose account is that of triggers and routines. */
  private static final Pattern AS_ADMIN =
      Pattern.compile("(?:CREATE (?:DEFINER=\\S+ )?|DROP )TRIGGER ");

  /** How often a read is sent at most. */
  private static final int READS = 4;

  private final ShardQueries queries;
  private final SettingsRegistry registry;
  private final Consumer<ShardCall> sent;

  /** Shards over the links of these queries. */
  public LinkedDdlShards(ShardQueries queries, SettingsRegistry registry) {
    this(queries, registry, _ -> {});
  }

  private LinkedDdlShards(
      ShardQueries queries, SettingsRegistry registry, Consumer<ShardCall> sent) {
    this.queries = queries;
    this.registry = registry;
    this.sent = sent;
  }

  @Override
  public DdlShards observed(Consumer<ShardCall> observer) {
    return new LinkedDdlShards(queries, registry, observer);
  }

  @Override
  public List<DnId> dns() {
    return queries.links().dns();
  }

  @Override
  public Map<DnId, DnMembers> members() {
    return queries.links().members();
  }

  @Override
  public Executed execute(DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    BackendAccount account = AS_ADMIN.matcher(sql.text()).lookingAt() ? ADMIN : DDL;
    return run(dn, account, currentSchema, settings, sql);
  }

  @Override
  public List<SqlWarning> executeAsAdmin(
      DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    return run(dn, ADMIN, currentSchema, settings, sql).warnings();
  }

  private Executed run(
      DnId dn,
      BackendAccount account,
      String currentSchema,
      Map<String, String> settings,
      Sql sql) {
    ShardQueries own = queries.withSettings(registry.with(registry.defaults(), settings));
    Queue<Condition> warnings = new ConcurrentLinkedQueue<>();
    OkPacket ok;
    try (ShardCall call = own.start(dn, account, currentSchema, sql, warnings)) {
      sent.accept(call);
      ok = call.update();
    }
    return new Executed(
        ok.affectedRows(),
        warnings.stream()
            .map(each -> new SqlWarning(each.level(), each.code(), each.message()))
            .toList());
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row) {
    SessionSettings all = registry.with(registry.defaults(), settings);
    ShardQueries own = queries.withSettings(all);
    boolean[] begun = new boolean[1];
    again(
        () -> !begun[0],
        () -> {
          try (ShardCall call = own.start(dn, DDL, "", sql)) {
            sent.accept(call);
            call.columns();
            for (byte[] next = call.nextRow(); next != null; next = call.nextRow()) {
              begun[0] = true;
              row.accept(value(next));
            }
            call.status();
          }
          return begun;
        });
  }

  private static String value(byte[] row) {
    String value = ShardQueries.texts(row, 1).getFirst();
    if (value == null) {
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES, "a row is longer than max_allowed_packet allows");
    }
    return value;
  }

  @Override
  public List<List<String>> query(DnId dn, String currentSchema, Sql sql) {
    ShardQueries own =
        queries.withSettings(registry.with(registry.defaults(), SqlText.QUERY_SETTINGS));
    List<List<@Nullable String>> rows =
        again(
            () -> true,
            () -> {
              try (ShardCall call = own.start(dn, DDL, currentSchema, sql)) {
                sent.accept(call);
                return ShardQueries.rows(call);
              }
            });
    return rows.stream()
        .map(row -> row.stream().map(value -> Objects.requireNonNullElse(value, "")).toList())
        .toList();
  }

  /**
   * Reads once more on another connection when one broke, as those do that the pool kept over the
   * restart of a mysqld: a read has changed nothing.
   */
  private static <T> T again(BooleanSupplier mayBe, Supplier<T> read) {
    for (int attempt = 1; ; attempt++) {
      try {
        return read.get();
      } catch (AlraiException e) {
        if (attempt == READS || !e.isLostConnection() || !mayBe.getAsBoolean()) {
          throw e;
        }
        log.debug("read again: {}", e.sentence());
      }
    }
  }
}
