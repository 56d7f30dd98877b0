package io.alrai.cn.execute;

import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.tx.RowAccess;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
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
    ScratchSite site = copied(run, plan, RowAccess.CONSISTENT);
    boolean done = false;
    try {
      byte[] sql = PlaceText.render(run, plan.sql(), site.schema());
      if (!plan.functions().isEmpty() && site instanceof SideScratch own) {
        new ScratchFunctions(run, own.side(), own.schema(), parts.gms().catalog())
            .make(plan.functions(), sql);
      }
      String schema = plan.tables().isEmpty() ? "" : plan.tables().getFirst().schema();
      RowSource rows =
          new ShardRows(
              site.start(sql),
              name -> name.equals(site.schema()) ? schema : name,
              count -> warnings[0] += count);
      rows.columns();
      done = true;
      return new GatheredRows(rows, logicalTables(plan), site::drop);
    } finally {
      if (!done) {
        site.drop();
      }
    }
  }

  /** Of copies beside temporary tables: those of others are told by the shadow schema. */
  private static Map<String, String> logicalTables(GatherPlan plan) {
    Map<String, String> names = new HashMap<>();
    if (plan.ofSession()) {
      plan.tables().forEach(source -> names.put(source.scratchName(), source.table()));
    }
    return names;
  }

  /** Gathers and runs a write of the session's temporary tables. */
  OkPacket write(StatementRun run, GatherPlan plan) {
    ScratchSite site = copied(run, plan, RowAccess.CHANGING);
    try (ShardCall call = site.start(PlaceText.render(run, plan.sql(), site.schema()))) {
      return call.update();
    } finally {
      site.drop();
    }
  }

  /** The rows, copied; to be dropped. */
  private ScratchSite copied(StatementRun run, GatherPlan plan, RowAccess access) {
    Map<GatherPlan.Source, List<ShardPlace>> places = new HashMap<>();
    for (GatherPlan.Source source : plan.tables()) {
      places.put(source, places(run, source.targets()));
    }
    ScratchSite site =
        plan.ofSession() ? new SessionScratch(run, plan, access) : side(run, dn(places));
    boolean done = false;
    try {
      site.create(plan);
      fill(run, site, plan, places);
      site.ready();
      done = true;
      return site;
    } finally {
      if (!done) {
        site.drop();
      }
    }
  }

  private SideScratch side(StatementRun run, DnId dn) {
    String scratch = prefix(parts) + run.session().connectionId() + "_" + numbers.incrementAndGet();
    return new SideScratch(
        run, SideBranch.open(parts.queries(), dn, run.shards().settings()), scratch);
  }

  private List<ShardPlace> places(StatementRun run, Targets targets) {
    if (targets instanceof Targets.AnyDn any) {
      return List.of(new ShardPlace(0, any.physicalSchema(), parts.links().any()));
    }
    return parts.router().places(targets, run.values(), SessionText.charset(run.session()));
  }

  /** The DN with most of the places: what it has need not leave it. */
  private DnId dn(Map<GatherPlan.Source, List<ShardPlace>> places) {
    Map<DnId, Integer> counts = new HashMap<>();
    places.values().forEach(all -> all.forEach(p -> counts.merge(p.dn(), 1, Integer::sum)));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseGet(() -> parts.links().any());
  }

  /** Copies the rows of every table, consistent reads at one snapshot. */
  private static void fill(
      StatementRun run,
      ScratchSite site,
      GatherPlan plan,
      Map<GatherPlan.Source, List<ShardPlace>> places) {
    Set<DnId> dns = new LinkedHashSet<>();
    int reads = 0;
    for (GatherPlan.Source source : plan.tables()) {
      if (!source.locking()) {
        List<ShardPlace> some = Objects.requireNonNull(places.get(source));
        some.forEach(place -> dns.add(place.dn()));
        reads += some.size();
      }
    }
    SessionShards shards = run.shards();
    StatementViews views =
        reads < 2 ? StatementViews.NONE : shards.copying(() -> shards.awaitViews(dns, false));
    try {
      for (GatherPlan.Source source : plan.tables()) {
        for (ShardPlace place : Objects.requireNonNull(places.get(source))) {
          fill(run, site, source, place, views);
        }
        site.filled(source);
      }
    } finally {
      shards.endViews(views);
    }
  }

  private static void fill(
      StatementRun run,
      ScratchSite site,
      GatherPlan.Source source,
      ShardPlace place,
      StatementViews views) {
    byte[] select = PlaceText.render(run, source.select(), place.physicalSchema());
    String into =
        "INSERT INTO " + site.name(source) + " (" + SqlNames.list(source.columns()) + ") ";
    boolean here = site.isAt(place.dn()) && views.isNone();
    SessionTransaction transaction = run.session().transaction();
    boolean ownBranches = transaction.open() || transaction.tableLocks().held();
    if (here && !source.locking() && !ownBranches) {
      ByteArrayOutputStream sql = new ByteArrayOutputStream(select.length + 256);
      sql.writeBytes(SessionText.encoded(run.session(), into));
      sql.writeBytes(select);
      site.fill(sql.toByteArray());
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
      copy(rows, site, start, SessionText.literals(run.session()));
    }
  }

  private static void copy(RowSource rows, ScratchSite site, byte[] into, LiteralText literals) {
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
        site.fill(batch.toByteArray());
        batch.reset();
      }
    }
    if (batch.size() > 0) {
      site.fill(batch.toByteArray());
    }
  }

  /** The result; its end is the end of the copies. */
  private record GatheredRows(RowSource rows, Map<String, String> tables, Runnable onClose)
      implements RowSource {
    @Override
    public List<ColumnDefinition> columns() {
      return tables.isEmpty()
          ? rows.columns()
          : rows.columns().stream()
              .map(column ->
                  column.withOriginalTable(
                      tables.getOrDefault(column.originalTable(), column.originalTable())))
              .toList();
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
