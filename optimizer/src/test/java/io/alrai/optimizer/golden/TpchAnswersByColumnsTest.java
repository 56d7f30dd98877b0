package io.alrai.optimizer.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.alrai.columnar.scan.ColumnTable;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.spill.SpillDirectory;
import io.alrai.executor.task.AnalyticExecutor;
import io.alrai.executor.task.Cancellation;
import io.alrai.executor.task.ResultRows;
import io.alrai.executor.timeslice.CpuShare;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.lower.FragmentPlanner;
import io.alrai.tpch.Cell;
import io.alrai.tpch.TpchAnswers;
import io.alrai.tpch.TpchQueries;
import io.alrai.tpch.TpchQuery;
import io.alrai.tpch.TpchReference;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The TPC-H queries from their text over column indexes at scale factor 0.01: planned, run, and
 * compared with the reference answers.
 */
class TpchAnswersByColumnsTest {
  private static final double SCALE = 0.01;
  private static final TpchColumns COLUMNS = new TpchColumns();
  private static final Map<String, List<ColumnTable>> TABLES = new HashMap<>();
  private static final SliceScheduler SCHEDULER =
      new SliceScheduler(2, CpuShare.EQUAL, SliceScheduler.Time.system(), new LongAdder());
  private static final MemoryRegion REGION = new MemoryRegion(256 << 20);
  private static Planner.Context context;

  @BeforeAll
  static void load() throws IOException {
    Catalog catalog =
        CatalogText.read(
            Files.readString(
                Path.of("src/test/resources/golden/catalog.txt"), StandardCharsets.UTF_8));
    context = new Planner.Context(catalog, "tpch", false, false);
    catalog
        .schema("tpch")
        .orElseThrow()
        .tables()
        .values()
        .forEach(table -> TABLES.put(table.name(), COLUMNS.load(table, SCALE)));
  }

  @AfterAll
  static void close() {
    SCHEDULER.close();
    COLUMNS.close();
  }

  static Stream<TpchQuery> queries() {
    return TpchQueries.all().stream();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void answersAreThoseOfTheReference(TpchQuery query) {
    ShapedText statement = ShapedText.of(query.sql());
    AnalyticalAnswer answer =
        new FragmentPlanner(TpchStatistics.source())
            .plan(
                statement,
                new TextSlotValues(statement, ParameterSource.NONE),
                StandardCharsets.UTF_8,
                context);
    AnalyticalAnswer.Planned planned =
        assertInstanceOf(AnalyticalAnswer.Planned.class, answer, answer.toString());
    AnalyticExecutor executor = new AnalyticExecutor(SCHEDULER, SpillDirectory.standard());
    AnalyticExecutor.Request request =
        new AnalyticExecutor.Request(
            (schema, table) -> TABLES.get(table),
            scan -> {
              throw new AssertionError("a scan of shards: " + scan);
            },
            TpchColumns.AT,
            slot -> new Constant.Null(),
            REGION.reserve(0, 256 << 20).orElseThrow(),
            new SliceScheduler.Account(),
            new Cancellation());
    List<List<Cell>> rows = new ArrayList<>();
    try (ResultRows result = executor.execute(planned.plan(), request)) {
      while (result.next()) {
        List<Cell> row = new ArrayList<>();
        for (int i = 0; i < result.columns().size(); i++) {
          row.add(cell(result, i));
        }
        rows.add(row);
      }
    }
    assertEquals(
        Optional.empty(),
        TpchAnswers.compareWithReference(
            query,
            new io.alrai.tpch.ResultRows(List.of(), rows),
            TpchReference.answer(query, SCALE).orElseThrow()));
  }

  private static Cell cell(ResultRows result, int column) {
    if (result.isNull(column)) {
      return new Cell.Null();
    }
    ValueKind kind = result.columns().get(column).kind();
    return switch (kind) {
      case BIGINT, UNSIGNED -> new Cell.Exact(BigDecimal.valueOf(result.longAt(column)));
      case DECIMAL -> new Cell.Exact(result.decimalAt(column));
      case DOUBLE -> new Cell.Approximate(result.doubleAt(column));
      case DATE -> new Cell.Text(LocalDate.ofEpochDay(result.longAt(column)).toString());
      case DATETIME -> throw new AssertionError("no query has a DATETIME");
      case STRING -> new Cell.Text(new String(result.bytesAt(column), StandardCharsets.UTF_8));
    };
  }
}
