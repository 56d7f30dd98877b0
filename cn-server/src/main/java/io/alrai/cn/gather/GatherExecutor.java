package io.alrai.cn.gather;

import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.FloatDigits;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.PreparedShardStatement;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.Merger;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.task.Cancellation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The last resort of a SELECT: copies rows into a scratch schema on one mysqld and runs the
 * statement there. Rows are read in the session's transaction; the scratch schema is outside of it
 * and of the binary log, and is dropped with the result. Virtual threads.
 */
public final class GatherExecutor {
  private static final String PREFIX = "alrai_gather_";

  /** The numbers of the connection and of the statement. */
  private static final Pattern NUMBERS = Pattern.compile("\\d+_\\d+");

  private final ExecutorParts parts;
  private final GroupReader groups;
  private final AtomicLong numbers = new AtomicLong();

  /** Reads groups over several places. */
  public interface GroupReader {
    /** Starts reading groups; the rows are to be closed. */
    public RowSource open(
        StatementRun run, MergePlan merge, List<ShardPlace> places, FloatDigits digits);
  }

  public GatherExecutor(ExecutorParts parts, GroupReader groups) {
    this.parts = parts;
    this.groups = groups;
  }

  /** Drops what a crash of this CN left behind; before the CN serves. */
  public static void dropLeftovers(ExecutorParts parts) {
    for (DnId dn : parts.links().dns()) {
      for (List<String> row : parts.queries().query(dn, "", Sql.of("SHOW DATABASES"))) {
        String schema = String.valueOf(row.getFirst());
        if (isOf(parts.node(), schema)) {
          parts.queries().update(dn, "", Sql.of("DROP DATABASE IF EXISTS ").name(schema));
        }
      }
    }
  }

  /** Whether a schema has copies of that CN: not of another one whose name begins like its own. */
  static boolean isOf(NodeId cn, String schema) {
    String prefix = prefix(cn);
    return schema.startsWith(prefix)
        && NUMBERS.matcher(schema.substring(prefix.length())).matches();
  }

  private static String prefix(NodeId cn) {
    return PREFIX + cn.name().replace('-', '_') + "_";
  }

  /**
   * Gathers and starts a SELECT that assigns; closing the rows takes back what it assigned and
   * drops the copies.
   */
  public RowSource open(
      StatementRun run,
      GatherPlan plan,
      FloatDigits digits,
      int[] warnings,
      VariableExchange variables) {
    Function<String, ShardStatement> statement = asPrepared(run, plan, digits);
    return overCopies(run, plan, digits, statement, warnings, () -> {}, Optional.of(variables));
  }

  /**
   * Gathers and starts the statement; closing the rows drops the copies.
   *
   * @param digits of the FLOATs in the rows
   * @param copied runs between the two
   */
  public RowSource open(
      StatementRun run, GatherPlan plan, FloatDigits digits, int[] warnings, Runnable copied) {
    return open(run, plan, digits, asPrepared(run, plan, digits), warnings, copied);
  }

  /** Opens it for a write, which converts the values to the types of its columns. */
  public RowSource openForWrite(StatementRun run, GatherPlan plan, Runnable copied) {
    FloatDigits digits = FloatDigits.NONE;
    return open(run, plan, digits, text(run, plan, digits), new int[1], copied);
  }

  /**
   * The statement over copies in a schema; prepared, if the client prepared it and that is
   * possible.
   */
  private static Function<String, ShardStatement> asPrepared(
      StatementRun run, GatherPlan plan, FloatDigits digits) {
    Function<String, ShardStatement> text = text(run, plan, digits);
    return schema ->
        PreparedShardStatement.overCopies(run, plan, schema).orElseGet(() -> text.apply(schema));
  }

  private static Function<String, ShardStatement> text(
      StatementRun run, GatherPlan plan, FloatDigits digits) {
    return schema -> digits.asked(PlaceText.render(run, plan.sql(), schema), "");
  }

  private RowSource open(
      StatementRun run,
      GatherPlan plan,
      FloatDigits digits,
      Function<String, ShardStatement> statement,
      int[] warnings,
      Runnable copied) {
    Optional<RowSource> joined =
        plan.join()
            .filter(join -> SessionText.isAsCopied(run.session().variables()))
            .flatMap(join -> joined(run, join, digits, warnings));
    if (joined.isPresent()) {
      copied.run();
      return joined.get();
    }
    return overCopies(run, plan, digits, statement, warnings, copied, Optional.empty());
  }

  private RowSource overCopies(
      StatementRun run,
      GatherPlan plan,
      FloatDigits digits,
      Function<String, ShardStatement> statement,
      int[] warnings,
      Runnable copied,
      Optional<VariableExchange> variables) {
    Map<Source, List<ShardPlace>> places = places(run, plan.tables());
    Opening opening = new Opening(run, plan, places, digits, statement, copied, variables);
    if (plan.ofSession()) {
      return opening.open(new SessionScratch(run, plan, RowAccess.CONSISTENT), warnings);
    }
    if (plan.mayBeTemporary()) {
      CopyScratch site = new TemporaryScratch(run, side(run, places));
      try {
        return opening.open(site, warnings);
      } catch (AlraiException e) {
        if (!TemporaryScratch.isUnable(e)) {
          throw e;
        }
      }
    }
    return opening.open(schema(run, places), warnings);
  }

  /** The rows of a join without copies, until KILL; empty where there are too many of them. */
  private Optional<RowSource> joined(
      StatementRun run, JoinPlan join, FloatDigits floats, int[] warnings) {
    List<Source> sources = join.members().stream().map(JoinPlan.Member::source).toList();
    HeldScratch site = new HeldScratch(join);
    int before = warnings[0];
    try {
      new GatherCopies(
              parts, run, site, places(run, sources), floats, count -> warnings[0] += count)
          .fill(sources);
    } catch (HeldScratch.Full e) {
      warnings[0] = before;
      return Optional.empty();
    }
    OptionalInt digits = SessionText.divisionDigits(run.session().variables());
    JoinPlan exact = digits.isEmpty() ? join : join.withDivisionDigits(digits.getAsInt());
    Cancellation cancellation = new Cancellation();
    RowSource rows =
        new Merger(parts.budget()).join(exact, run.values(), site.rows(), cancellation::check);
    OwnWork.Registration work = run.shards().ownWork().begin(cancellation::cancel);
    return Optional.of(new GatheredRows(floats.shown(rows), Map.of(), work::close));
  }

  /** A statement that is about to be gathered at one site or another. */
  private final class Opening {
    private final StatementRun run;
    private final GatherPlan plan;
    private final Map<Source, List<ShardPlace>> places;
    private final FloatDigits digits;
    private final Function<String, ShardStatement> statement;
    private final Runnable copied;
    private final Optional<VariableExchange> variables;

    Opening(
        StatementRun run,
        GatherPlan plan,
        Map<Source, List<ShardPlace>> places,
        FloatDigits digits,
        Function<String, ShardStatement> statement,
        Runnable copied,
        Optional<VariableExchange> variables) {
      this.run = run;
      this.plan = plan;
      this.places = places;
      this.digits = digits;
      this.statement = statement;
      this.copied = copied;
      this.variables = variables;
    }

    public RowSource open(CopyScratch site, int[] warnings) {
      boolean done = false;
      try {
        copy(run, plan, places, digits, site);
        copied.run();
        variables.ifPresent(each -> each.give(connection(site)));
        RowSource rows = started(site, warnings);
        done = true;
        return new GatheredRows(rows, logicalTables(plan), () -> end(site));
      } finally {
        if (!done) {
          site.drop();
        }
      }
    }

    private static Function<Sql, ShardCall> connection(CopyScratch site) {
      return sql -> site.start(ShardStatement.text(sql));
    }

    private void end(CopyScratch site) {
      try {
        variables.ifPresent(each -> each.takeBack(connection(site)));
      } finally {
        site.drop();
      }
    }

    private RowSource started(CopyScratch site, int[] warnings) {
      if (!plan.functions().isEmpty() && site instanceof SchemaScratch own) {
        byte[] sql = PlaceText.render(run, plan.sql(), site.schema());
        new ScratchFunctions(run, parts.queries(), own.side(), own.schema(), parts.gms().catalog())
            .make(plan.functions(), sql);
      }
      String schema = plan.tables().isEmpty() ? "" : plan.tables().getFirst().schema();
      RowSource rows =
          new ShardRows(
              site.start(statement.apply(site.schema())),
              name -> name.equals(site.schema()) ? schema : name,
              count -> warnings[0] += count);
      rows.columns();
      return rows;
    }
  }

  /** The copies, for several statements that may use one twice; closing drops them. */
  public Copies copies(StatementRun run, GatherPlan plan) {
    Map<Source, List<ShardPlace>> places = places(run, plan.tables());
    CopyScratch site =
        plan.ofSession() ? new SessionScratch(run, plan, RowAccess.CHANGING) : schema(run, places);
    boolean done = false;
    try {
      copy(run, plan, places, FloatDigits.NONE, site);
      done = true;
      return new Copies(run, site);
    } finally {
      if (!done) {
        site.drop();
      }
    }
  }

  /** Copies of rows that statements run over, one after the other. */
  public record Copies(StatementRun run, CopyScratch site) implements AutoCloseable {
    /** The rows of a SELECT; to be closed. */
    public RowSource rows(SqlTemplate sql) {
      byte[] text = PlaceText.render(run, sql, site.schema());
      return new ShardRows(site.start(ShardStatement.text(text)), name -> name, count -> {});
    }

    /** Runs a write of the copies. */
    public OkPacket write(SqlTemplate sql) {
      byte[] text = PlaceText.render(run, sql, site.schema());
      try (ShardCall call = site.start(ShardStatement.text(text))) {
        return call.update();
      }
    }

    @Override
    public void close() {
      site.drop();
    }
  }

  /** The original tables of copies that have other names. */
  private static Map<String, String> logicalTables(GatherPlan plan) {
    Map<String, String> names = new HashMap<>();
    plan.tables().stream()
        .filter(source -> !source.scratchName().equals(source.table()))
        .forEach(source -> names.put(source.scratchName(), source.table()));
    return names;
  }

  /** Gathers and runs a write of the session's temporary tables. */
  public OkPacket write(StatementRun run, GatherPlan plan) {
    CopyScratch site = new SessionScratch(run, plan, RowAccess.CHANGING);
    try {
      copy(run, plan, places(run, plan.tables()), FloatDigits.NONE, site);
      byte[] text = PlaceText.render(run, plan.sql(), site.schema());
      try (ShardCall call = site.start(ShardStatement.text(text))) {
        return call.update();
      }
    } finally {
      site.drop();
    }
  }

  private void copy(
      StatementRun run,
      GatherPlan plan,
      Map<Source, List<ShardPlace>> places,
      FloatDigits digits,
      CopyScratch site) {
    site.create(plan);
    if (plan.groups().isPresent()) {
      Source source = plan.tables().getFirst();
      copyGroups(
          run,
          plan.groups().get().merge(),
          Objects.requireNonNull(places.get(source)),
          digits,
          rows -> site.add(source, rows));
      site.filled(source);
    } else {
      new GatherCopies(parts, run, site, places, FloatDigits.NONE, count -> {}).fill(plan.tables());
    }
    site.ready();
  }

  /** Their rows are written again, so all digits matter. */
  private void copyGroups(
      StatementRun run,
      MergePlan merge,
      List<ShardPlace> places,
      FloatDigits digits,
      Consumer<RowSource> copying) {
    FloatDigits whole = digits == FloatDigits.NONE ? FloatDigits.NONE : FloatDigits.ALL;
    run.shards()
        .copying(() -> {
          try (RowSource rows = groups.open(run, merge, places, whole)) {
            copying.accept(rows);
          }
          return true;
        });
  }

  private Map<Source, List<ShardPlace>> places(StatementRun run, List<Source> sources) {
    Map<Source, List<ShardPlace>> places = new HashMap<>();
    sources.forEach(source -> places.put(source, places(run, source)));
    return places;
  }

  private SchemaScratch schema(StatementRun run, Map<Source, List<ShardPlace>> places) {
    String scratch =
        prefix(parts.node())
            + run.session().client().connectionId()
            + "_"
            + numbers.incrementAndGet();
    return new SchemaScratch(run, side(run, places), scratch);
  }

  private SideBranch side(StatementRun run, Map<Source, List<ShardPlace>> places) {
    return SideBranch.open(parts.queries(), dn(places), run.session().variables().ofCopies());
  }

  /**
   * Rows of a broadcast table are locked at one DN, which is the same for all sessions, so the
   * second one waits.
   */
  private List<ShardPlace> places(StatementRun run, Source source) {
    if (source.targets() instanceof Targets.AnyDn any) {
      DnId dn = source.locking() ? parts.links().dns().getFirst() : parts.links().any();
      return List.of(new ShardPlace(0, any.physicalSchema(), dn));
    }
    return parts
        .router()
        .places(source.targets(), run.values(), SessionText.charset(run.session().variables()));
  }

  /** The DN with most of the places, whose rows need not leave it. */
  private DnId dn(Map<Source, List<ShardPlace>> places) {
    Map<DnId, Integer> counts = new HashMap<>();
    places.values().forEach(all -> all.forEach(p -> counts.merge(p.dn(), 1, Integer::sum)));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseGet(() -> parts.links().any());
  }

  /** The result; closing it ends the copies, or what this CN computes itself. */
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
