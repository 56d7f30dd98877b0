package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.tx.RowAccess;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last resort of a SELECT: copies rows into a scratch schema on one mysqld and runs the
 * statement there. Rows are read in the session's transaction, the scratch schema lives outside of
 * it and of the binary log, and is dropped with the result. Virtual threads.
 */
final class GatherExecutor {
  private static final String PREFIX = "alrai_gather_";
  private static final int BATCH_BYTES = 1 << 20;
  private static final String FILL_MODE =
      "SET SESSION sql_log_bin=0, foreign_key_checks=0, unique_checks=0,"
          + " sql_mode=CONVERT(CONCAT_WS(',', 'NO_AUTO_VALUE_ON_ZERO',"
          + " IF(FIND_IN_SET('NO_BACKSLASH_ESCAPES', @@sql_mode), 'NO_BACKSLASH_ESCAPES', NULL),"
          + " IF(FIND_IN_SET('ANSI_QUOTES', @@sql_mode), 'ANSI_QUOTES', NULL),"
          + " IF(FIND_IN_SET('PIPES_AS_CONCAT', @@sql_mode), 'PIPES_AS_CONCAT', NULL)) USING"
          + " utf8mb4)";

  private final ExecutorParts parts;
  private final AtomicLong numbers = new AtomicLong();

  GatherExecutor(ExecutorParts parts) {
    this.parts = parts;
  }

  /** Drops what a crash of this CN left behind; before the CN serves. */
  static void dropLeftovers(ExecutorParts parts) {
    String mine = prefix(parts);
    for (DnId dn : parts.links().dns()) {
      for (List<String> row : parts.queries().query(dn, "", "SHOW DATABASES")) {
        String schema = String.valueOf(row.getFirst());
        if (schema.startsWith(mine)) {
          parts.queries().update(dn, "", "DROP DATABASE IF EXISTS " + Identifier.quote(schema));
        }
      }
    }
  }

  private static String prefix(ExecutorParts parts) {
    return PREFIX + parts.node().name().replace('-', '_') + "_";
  }

  /** Gathers and starts the statement; closing the rows drops the copies. */
  RowSource open(StatementRun run, GatherPlan plan, int[] warnings) {
    Map<GatherPlan.Source, List<ShardPlace>> places = new HashMap<>();
    for (GatherPlan.Source source : plan.tables()) {
      places.put(source, places(run, source.targets()));
    }
    DnId site = site(places);
    Session session = run.session();
    String scratch = prefix(parts) + session.connectionId() + "_" + numbers.incrementAndGet();
    SideBranch side = SideBranch.open(parts.queries(), site, run.shards().settings());
    boolean done = false;
    try {
      update(session, side, FILL_MODE);
      update(session, side, "CREATE DATABASE " + Identifier.quote(scratch));
      for (GatherPlan.Source source : plan.tables()) {
        create(session, side, scratch, source);
      }
      fill(new Copying(run, side, scratch), plan, places);
      update(session, side, "SET SESSION sql_mode=" + setting(session, "sql_mode"));
      byte[] sql = PlaceText.render(run, plan.sql(), scratch);
      if (!plan.functions().isEmpty()) {
        new ScratchFunctions(run, side, scratch, parts.gms().catalog()).make(plan.functions(), sql);
      }
      String schema = plan.tables().isEmpty() ? "" : plan.tables().getFirst().schema();
      RowSource rows =
          new ShardRows(
              side.start(scratch, sql, run.shards().collector()),
              name -> name.equals(scratch) ? schema : name,
              count -> warnings[0] += count);
      rows.columns();
      done = true;
      return new GatheredRows(rows, () -> drop(side, scratch, session));
    } finally {
      if (!done) {
        drop(side, scratch, session);
      }
    }
  }

  private List<ShardPlace> places(StatementRun run, Targets targets) {
    if (targets instanceof Targets.AnyDn any) {
      return List.of(new ShardPlace(0, any.physicalSchema(), parts.links().any()));
    }
    return parts.router().places(targets, run.values(), SessionText.charset(run.session()));
  }

  /** The DN with most of the places: what it has need not leave it. */
  private DnId site(Map<GatherPlan.Source, List<ShardPlace>> places) {
    Map<DnId, Integer> counts = new HashMap<>();
    places.values().forEach(all -> all.forEach(p -> counts.merge(p.dn(), 1, Integer::sum)));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseGet(() -> parts.links().any());
  }

  private static void create(
      Session session, SideBranch side, String scratch, GatherPlan.Source source) {
    String like = Identifier.quote(source.schema()) + "." + Identifier.quote(source.table());
    update(session, side, "CREATE TABLE " + name(scratch, source) + " LIKE " + like);
  }

  private static String name(String scratch, GatherPlan.Source source) {
    return Identifier.quote(scratch) + "." + Identifier.quote(source.scratchName());
  }

  /** Where copies go and how their rows are read. */
  private record Copying(StatementRun run, SideBranch side, String scratch) {}

  /** Copies the rows of every table, consistent reads at one snapshot. */
  private static void fill(
      Copying copying, GatherPlan plan, Map<GatherPlan.Source, List<ShardPlace>> places) {
    Set<DnId> dns = new LinkedHashSet<>();
    int reads = 0;
    for (GatherPlan.Source source : plan.tables()) {
      if (!source.locking()) {
        List<ShardPlace> some = Objects.requireNonNull(places.get(source));
        some.forEach(place -> dns.add(place.dn()));
        reads += some.size();
      }
    }
    SessionShards shards = copying.run.shards();
    StatementViews views =
        reads < 2 ? StatementViews.NONE : shards.copying(() -> shards.awaitViews(dns, false));
    try {
      for (GatherPlan.Source source : plan.tables()) {
        for (ShardPlace place : Objects.requireNonNull(places.get(source))) {
          fill(copying, source, place, views);
        }
        update(
            copying.run.session(),
            copying.side,
            "ANALYZE NO_WRITE_TO_BINLOG TABLE " + name(copying.scratch, source));
      }
    } finally {
      shards.endViews(views);
    }
  }

  private static void fill(
      Copying copying, GatherPlan.Source source, ShardPlace place, StatementViews views) {
    StatementRun run = copying.run;
    byte[] select = PlaceText.render(run, source.select(), place.physicalSchema());
    String into =
        "INSERT INTO "
            + name(copying.scratch, source)
            + " ("
            + SqlNames.list(source.columns())
            + ") ";
    boolean here = place.dn().equals(copying.side.dn()) && views.isNone();
    SessionTransaction transaction = run.session().transaction();
    boolean ownBranches = transaction.open() || transaction.tableLocks().held();
    if (here && !source.locking() && !ownBranches) {
      ByteArrayOutputStream sql = new ByteArrayOutputStream(select.length + 256);
      sql.writeBytes(SessionText.encoded(run.session(), into));
      sql.writeBytes(select);
      copying.side.update("", sql.toByteArray());
      return;
    }
    SessionShards shards = run.shards();
    ShardCall call =
        shards.copying(() ->
            shards.start(
                place.dn(),
                ShardStatement.text(select),
                RowAccess.ofSelect(source.locking()),
                source.locking() ? StatementViews.NONE : views));
    try (RowSource rows = new ShardRows(call, name -> name, count -> {})) {
      byte[] start = SessionText.encoded(run.session(), into + "VALUES ");
      copy(rows, copying.side, start, SessionText.literals(run.session()));
    }
  }

  private static void copy(RowSource rows, SideBranch side, byte[] into, LiteralText literals) {
    List<ColumnDefinition> columns = rows.columns();
    ByteArrayOutputStream batch = new ByteArrayOutputStream(64 << 10);
    while (rows.advance()) {
      if (batch.size() == 0) {
        batch.writeBytes(into);
      } else {
        batch.write(',');
      }
      literals.appendRow(columns, rows.row(), batch);
      if (batch.size() > BATCH_BYTES) {
        side.update("", batch.toByteArray());
        batch.reset();
      }
    }
    if (batch.size() > 0) {
      side.update("", batch.toByteArray());
    }
  }

  private static void drop(SideBranch side, String scratch, Session session) {
    boolean clean = false;
    try {
      update(session, side, "DROP DATABASE IF EXISTS " + Identifier.quote(scratch));
      update(
          session,
          side,
          "SET SESSION sql_log_bin=1, foreign_key_checks="
              + setting(session, "foreign_key_checks")
              + ", unique_checks="
              + setting(session, "unique_checks")
              + ", sql_mode="
              + setting(session, "sql_mode"));
      clean = true;
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }

  private static String setting(Session session, String name) {
    String literal = session.settings().literal(name);
    return literal.isEmpty() ? SessionSettings.initial(name) : literal;
  }

  private static void update(Session session, SideBranch side, String sql) {
    side.update("", SessionText.encoded(session, sql));
  }

  /** The result; its end is the end of the copies. */
  private record GatheredRows(RowSource rows, Runnable onClose) implements RowSource {
    @Override
    public List<ColumnDefinition> columns() {
      return rows.columns();
    }

    @Override
    public boolean advance() {
      return rows.advance();
    }

    @Override
    public Row row() {
      return rows.row();
    }

    @Override
    public void close() {
      rows.close();
      onClose.run();
    }
  }
}
