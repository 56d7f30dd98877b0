package io.alrai.cn.select;

import io.alrai.cn.analytic.AskedSelect;
import io.alrai.cn.analytic.ChosenPlan;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.gather.GatherExecutor;
import io.alrai.cn.gather.PlacesByDn;
import io.alrai.cn.gather.VariableExchange;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.StatementPath;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.FloatDigits;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.PreparedShardStatement;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.UnionText;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.Merger;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** SELECT over one or several places: one statement for each DN, merged as the rows arrive. */
public final class SelectExecutor {
  private final ExecutorParts parts;
  private final GatherExecutor gather;

  public SelectExecutor(ExecutorParts parts) {
    this.parts = parts;
    this.gather = new GatherExecutor(parts, this::groups);
  }

  /** Runs a SELECT and streams its rows to the client. */
  public void run(StatementRun run, Plan.Select select) {
    int[] warnings = new int[1];
    if (answeredByColumns(run, select, warnings)) {
      return;
    }
    List<ShardPlace> places = places(run, select.targets());
    boolean isOnePlace = select.targets() instanceof Targets.AnyDn || places.size() == 1;
    FloatDigits digits = FloatDigits.forClient(run, select);
    send(
        run,
        () -> open(run, select, places, digits, warnings, Optional.empty()),
        made -> isOnePlace ? ofOnePlace(run, select, made) : shown(run, select, made),
        warnings);
  }

  /** Answers where column indexes can; errors of the statement are thrown. */
  private boolean answeredByColumns(StatementRun run, Plan.Select select, int[] warnings) {
    return run.shards()
        .ownWork()
        .run(cancellation ->
            answeredByColumns(
                run,
                new AskedSelect(
                    run.session(),
                    run.shards(),
                    run.statement(),
                    run.values(),
                    select,
                    cancellation),
                warnings));
  }

  private boolean answeredByColumns(StatementRun run, AskedSelect asked, int[] warnings) {
    Optional<ChosenPlan> plan = parts.analytic().choose(asked);
    if (plan.isEmpty()) {
      return false;
    }
    Optional<List<ColumnDefinition>> columns =
        parts.resultColumns().ofText(parts, run, asked.select());
    return parts
        .analytic()
        .onOwnThread(() -> {
          Optional<RowSource> rows = parts.analytic().open(asked, plan.get(), columns);
          rows.ifPresent(source -> {
            run.session().last().path(StatementPath.COLUMNS);
            send(run, () -> source, made -> made, warnings);
          });
          return rows.isPresent();
        });
  }

  /**
   * Asks the shards of a SELECT that is merged, on the event loop.
   *
   * @return empty for any other, or where a mysqld must be asked which shards they are
   */
  public Optional<Scatter> start(StatementRun run, Plan.Select select) {
    if (select.merge().isEmpty() || select.targets() instanceof Targets.AnyDn) {
      return Optional.empty();
    }
    List<ShardPlace> places = parts.router().knownPlaces(select.targets(), run.values());
    if (places == null || places.size() < 2) {
      return Optional.empty();
    }
    Optional<List<ColumnDefinition>> columns = parts.resultColumns().known(run, select);
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    MergePlan plan = select.merge().get();
    Scatter scatter = new Scatter(parts.names(), columns.get());
    beginCounted(run, select, scatter.warnings());
    FloatDigits digits = FloatDigits.forClient(run, select);
    scatter.ask(
        run.shards(),
        statements(run, plan, places, PreparedShardStatement.mayUnite(run, select, plan), digits),
        select.locking());
    return Optional.of(scatter);
  }

  /** Streams the rows of what was started. */
  public void finish(StatementRun run, Plan.Select select, Scatter scatter) {
    MergePlan plan = select.merge().orElseThrow();
    send(
        run,
        () ->
            counted(
                run,
                select,
                FloatDigits.forClient(run, select).shown(merging(run, plan, scatter.sources()))),
        made -> scatter.columns().size() == made.size() ? scatter.columns() : made,
        scatter.warnings());
  }

  private void send(
      StatementRun run,
      Supplier<RowSource> rowsOfSelect,
      UnaryOperator<List<ColumnDefinition>> forClient,
      int[] warnings) {
    rows(run, rowsOfSelect, forClient, run.statusFlags());
    run.writer().end(warnings[0], run.statusFlags());
  }

  private static void rows(
      StatementRun run,
      Supplier<RowSource> rowsOfSelect,
      UnaryOperator<List<ColumnDefinition>> forClient,
      int status) {
    Session session = run.session();
    long most = SelectLimit.of(run);
    long rows = 0;
    long found;
    try (RowSource source = rowsOfSelect.get()) {
      run.writer().columns(forClient.apply(source.columns()), status);
      while (rows < most && source.advance()) {
        run.writer().row(payload(source.row()));
        rows++;
      }
      found = source instanceof CountedRows counted ? counted.all() : rows;
    }
    session.last().rowCount(-1);
    session.last().foundRows(found);
  }

  /** The place that answers a SELECT alone; empty where it takes several. */
  public Optional<ShardPlace> onlyPlace(StatementRun run, Plan.Select select) {
    if (select.targets() instanceof Targets.AnyDn any) {
      return Optional.of(new ShardPlace(0, any.physicalSchema(), anyDn(run)));
    }
    List<ShardPlace> places = places(run, select.targets());
    return places.size() == 1 ? Optional.of(places.getFirst()) : Optional.empty();
  }

  /**
   * Streams the rows of a SELECT that one place answers; the caller ends the result.
   *
   * @param status flags for the client
   */
  public void stream(
      StatementRun run, Plan.Select select, ShardPlace place, int status, int[] warnings) {
    rows(
        run,
        () -> {
          beginCounted(run, select, warnings);
          FloatDigits digits = FloatDigits.forClient(run, select);
          return counted(
              run,
              select,
              one(run, select, place.dn(), place.physicalSchema().name(), digits, warnings));
        },
        made -> ofOnePlace(run, select, made),
        status);
  }

  /** Streams a SELECT that assigns, over copies of the rows of several places. */
  public void streamGathered(
      StatementRun run,
      Plan.Select select,
      VariableExchange variables,
      int status,
      int[] warnings) {
    FloatDigits digits = FloatDigits.forClient(run, select);
    rows(
        run,
        () -> {
          beginCounted(run, select, warnings);
          GatherPlan plan = select.gather().orElseThrow();
          return counted(run, select, gather.open(run, plan, digits, warnings, variables));
        },
        made -> shown(run, select, made),
        status);
  }

  private List<ColumnDefinition> ofOnePlace(
      StatementRun run, Plan.Select select, List<ColumnDefinition> made) {
    if (select.readsViews()) {
      return shown(run, select, made);
    }
    return named(run, select, made);
  }

  private List<ColumnDefinition> named(
      StatementRun run, Plan.Select select, List<ColumnDefinition> made) {
    return select.namedByText() ? parts.columnNames().of(run, made) : made;
  }

  /** The columns from the shadow schema, which has no temporary tables. */
  private List<ColumnDefinition> shown(
      StatementRun run, Plan.Select select, List<ColumnDefinition> made) {
    if (select.ofSession()) {
      return named(run, select, made);
    }
    return parts.resultColumns().of(parts, run, select, made);
  }

  private static byte[] payload(Row row) {
    boolean whole = row.start() == 0 && row.end() == row.bytes().length;
    return whole ? row.bytes() : Arrays.copyOfRange(row.bytes(), row.start(), row.end());
  }

  /**
   * Starts a SELECT whose rows are for others than the client: their numbers have all digits.
   *
   * @param warnings its first element counts up as sources end
   * @return its rows; to be closed
   */
  public RowSource open(StatementRun run, Plan.Select select, int[] warnings) {
    FloatDigits digits = FloatDigits.forOthers(select);
    return open(run, select, places(run, select.targets()), digits, warnings, Optional.empty());
  }

  /** Starts a SELECT; {@code copied} runs when copies of its rows are complete. */
  public RowSource open(StatementRun run, Plan.Select select, Runnable copied) {
    FloatDigits digits = FloatDigits.forOthers(select);
    return open(
        run, select, places(run, select.targets()), digits, new int[1], Optional.of(copied));
  }

  private RowSource open(
      StatementRun run,
      Plan.Select select,
      List<ShardPlace> places,
      FloatDigits digits,
      int[] warnings,
      Optional<Runnable> copied) {
    beginCounted(run, select, warnings);
    return counted(run, select, openAll(run, select, places, digits, warnings, copied));
  }

  /** The shards do not see SQL_CALC_FOUND_ROWS, so they do not warn that it is deprecated. */
  private static void beginCounted(StatementRun run, Plan.Select select, int[] warnings) {
    select
        .foundRows()
        .flatMap(Plan.FoundRows::limit)
        .ifPresent(limit -> WrittenLimit.requireDigits(run, limit));
    if (select.foundRows().isPresent() && !run.writer().binary()) {
      warnings[0]++;
      run.shards().collector().add(CountedRows.DEPRECATED);
    }
  }

  private static RowSource counted(StatementRun run, Plan.Select select, RowSource rows) {
    if (select.foundRows().isEmpty()) {
      return rows;
    }
    Optional<Limit> limit = select.foundRows().get().limit();
    return new CountedRows(
        rows,
        limit.map(cut -> WrittenLimit.offset(cut, run.values())).orElse(0L),
        limit.map(cut -> WrittenLimit.count(cut, run.values())).orElse(Long.MAX_VALUE));
  }

  private RowSource openAll(
      StatementRun run,
      Plan.Select select,
      List<ShardPlace> places,
      FloatDigits digits,
      int[] warnings,
      Optional<Runnable> copied) {
    if (select.targets() instanceof Targets.AnyDn any) {
      return one(run, select, anyDn(run), any.physicalSchema().name(), digits, warnings);
    }
    if (places.size() == 1) {
      ShardPlace place = places.getFirst();
      return one(run, select, place.dn(), place.physicalSchema().name(), digits, warnings);
    }
    if (select.merge().isPresent()) {
      MergePlan plan = select.merge().get();
      return digits.shown(
          merged(
              run,
              plan,
              statements(
                  run, plan, places, PreparedShardStatement.mayUnite(run, select, plan), digits),
              select.locking(),
              warnings));
    }
    RowSource gathered =
        GatheredSelect.open(gather, run, select.gather().orElseThrow(), digits, warnings, copied);
    run.session().last().path(StatementPath.GATHER);
    return gathered;
  }

  private List<ShardPlace> places(StatementRun run, Targets targets) {
    return parts
        .router()
        .places(targets, run.values(), SessionText.charset(run.session().variables()));
  }

  /** A DN that the transaction has touched if there is one. */
  private DnId anyDn(StatementRun run) {
    for (TransactionBranch branch : run.session().transaction().branches()) {
      return branch.branch().dn();
    }
    return parts.links().any();
  }

  private RowSource one(
      StatementRun run,
      Plan.Select select,
      DnId dn,
      String physicalSchema,
      FloatDigits digits,
      int[] warnings) {
    run.session().last().path(StatementPath.PINNED);
    SqlTemplate template =
        select.pinned() instanceof Plan.StatementText.Rewritten rewritten ? rewritten.sql() : null;
    ShardStatement statement =
        PreparedShardStatement.whole(run, template, physicalSchema)
            .orElseGet(
                () -> digits.asked(PlaceText.pinned(run, select.pinned(), physicalSchema), ""));
    RowSource rows =
        new ShardRows(
            run.shards().start(dn, physicalSchema, statement, access(select), StatementViews.NONE),
            parts.names()::schema,
            count -> warnings[0] += count);
    return begun(List.of(rows), () -> rows);
  }

  private static RowAccess access(Plan.Select select) {
    return select.targets() instanceof Targets.AnyDn any && !any.tables()
        ? RowAccess.NONE
        : RowAccess.ofSelect(select.locking());
  }

  /** Rows for a write of this statement; {@code copied} runs before they are chosen. */
  public RowSource gathered(StatementRun run, GatherPlan plan, Runnable copied) {
    return gather.openForWrite(run, plan, copied);
  }

  /** Copies that a write of this statement runs over; to be closed. */
  public GatherExecutor.Copies copies(StatementRun run, GatherPlan plan) {
    return gather.copies(run, plan);
  }

  /** Writes temporary tables over copies of others. */
  public OkPacket write(StatementRun run, GatherPlan plan) {
    return gather.write(run, plan);
  }

  private RowSource groups(
      StatementRun run, MergePlan merge, List<ShardPlace> places, FloatDigits digits) {
    return merged(run, merge, statements(run, merge, places, false, digits), false, new int[1]);
  }

  /** Starts a statement on every DN and merges their rows, consistent reads at one snapshot. */
  public RowSource merged(
      StatementRun run, MergePlan plan, List<ShardPlace> places, boolean locking, int[] warnings) {
    Map<DnId, ShardStatement> statements = statements(run, plan, places, false, FloatDigits.NONE);
    return merged(run, plan, statements, locking, warnings);
  }

  private RowSource merged(
      StatementRun run,
      MergePlan plan,
      Map<DnId, ShardStatement> statements,
      boolean locking,
      int[] warnings) {
    List<RowSource> sources = new ArrayList<>();
    for (ShardCall call : run.shards().awaitStarts(statements, RowAccess.ofSelect(locking))) {
      sources.add(new ShardRows(call, parts.names()::schema, count -> warnings[0] += count));
    }
    return merging(run, plan, sources);
  }

  private RowSource merging(StatementRun run, MergePlan plan, List<RowSource> sources) {
    Merger merger = new Merger(parts.budget());
    OptionalInt digits = SessionText.divisionDigits(run.session().variables());
    MergePlan exact = digits.isEmpty() ? plan : plan.withDivisionDigits(digits.getAsInt());
    return begun(sources, () -> merger.merge(exact, run.values(), sources));
  }

  /**
   * The statement for each DN.
   *
   * @param everywhere see {@link PreparedShardStatement#mayUnite}
   */
  private Map<DnId, ShardStatement> statements(
      StatementRun run,
      MergePlan plan,
      List<ShardPlace> places,
      boolean everywhere,
      FloatDigits digits) {
    String home = parts.names().home(run.session().schema());
    plan.limit().ifPresent(limit -> WrittenLimit.requireDigits(run, limit));
    long enough = plan.limit().map(limit -> WrittenLimit.rows(limit, run.values())).orElse(-1L);
    Map<DnId, ShardStatement> statements = new LinkedHashMap<>();
    PlacesByDn.of(places)
        .forEach((dn, at) -> {
          Optional<ShardStatement> prepared =
              everywhere || at.size() == 1
                  ? PreparedShardStatement.of(run, plan, at, everywhere, enough, home)
                  : Optional.empty();
          statements.put(
              dn,
              prepared.orElseGet(
                  () -> digits.merged(plan, UnionText.of(run, plan, at, enough), home)));
        });
    return statements;
  }

  /** Waits until every source has its columns, so that errors come before the first row. */
  private static RowSource begun(List<RowSource> sources, Supplier<RowSource> result) {
    boolean done = false;
    try {
      sources.forEach(RowSource::columns);
      RowSource rows = result.get();
      done = true;
      return rows;
    } finally {
      if (!done) {
        sources.forEach(RowSource::close);
      }
    }
  }
}
