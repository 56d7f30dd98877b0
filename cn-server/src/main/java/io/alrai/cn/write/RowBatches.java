package io.alrai.cn.write;

import io.alrai.cn.route.Router;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.SlotsBeside;
import io.alrai.cn.text.TemplateText;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Collects text rows that are to be inserted, by place, and makes a multi-row INSERT of those of
 * each place. One statement's; one thread.
 */
final class RowBatches {
  private static final int BATCH_BYTES = 1 << 20;

  private final ExecutorParts parts;
  private final StatementRun run;
  private final InsertRows rows;
  private final LiteralText literals;
  private final List<ShardPlace> places;
  private final Router.@Nullable Storing storing;
  private final StoredPlaces storedPlaces;
  private final ReplacedRows replaced;
  private final ByteArrayOutputStream[] texts;
  private final byte[][] tails;
  private final int[] counts;
  private final List<Batch> finished = new ArrayList<>();
  private final boolean zeroIsValue;
  private int bytes;
  private boolean mysqldMakesIds;
  private long firstId;
  private @Nullable RowIds rowIds;
  private @Nullable SlotsBeside tailValues;
  private long madeId;
  private long lastGiven;

  /** A multi-row INSERT. */
  private record Batch(PlaceStatement statement, int rows) {}

  /**
   * Begins without rows.
   *
   * @param charset of the strings in rows
   */
  RowBatches(ExecutorParts parts, StatementRun run, InsertRows rows, String charset) {
    this.parts = parts;
    this.run = run;
    this.rows = rows;
    this.literals = SessionText.literals(run.session().variables());
    this.zeroIsValue = SessionText.hasMode(run.session().variables(), "NO_AUTO_VALUE_ON_ZERO");
    this.places = places(parts, rows.placement());
    this.storing =
        rows.placement() instanceof Placement.ByKey byKey
            ? parts.router().storing(byKey.function(), byKey.cells(), charset)
            : null;
    this.storedPlaces = new StoredPlaces(parts, run, rows);
    this.replaced = new ReplacedRows(parts, run, rows);
    this.texts = new ByteArrayOutputStream[places.size()];
    this.tails = new byte[places.size()][];
    this.counts = new int[places.size()];
  }

  /** All places that rows may go to. */
  static List<ShardPlace> places(ExecutorParts parts, Placement placement) {
    return switch (placement) {
      case Placement.ByKey byKey -> byKey.places();
      case Placement.AnyOf any -> any.places();
      case Placement.EveryDn every ->
          List.of(new ShardPlace(0, every.physicalSchema(), parts.links().dns().getFirst()));
    };
  }

  /**
   * Ids of an AUTO_INCREMENT column.
   *
   * @param first that was made, or 0
   * @param given with the last row that had one of its own, or 0
   */
  record Ids(long first, long given) {}

  /** Those of the rows so far. */
  Ids ids() {
    return new Ids(firstId, lastGiven);
  }

  /** Whether it is time to {@link #send}. */
  boolean isFull() {
    return bytes > BATCH_BYTES;
  }

  /** Adds a text row of these columns; those after the cells are slots of the rows' tail. */
  void add(List<ColumnDefinition> columns, Row row) {
    int own = rows.clientCells();
    if (columns.size() > own) {
      int slots = run.statement().slotCount();
      tailValues = new SlotsBeside(run.values(), slots, columns, row, own, literals);
    }
    add(new BatchRow(rows, columns.subList(0, own), row, literals));
  }

  /** Adds a row. */
  void add(InsertCells cells) {
    madeId = 0;
    rows.autoIncrement().ifPresent(auto -> makeId(auto, cells));
    int at = place(cells);
    if (replaced.mayHave(madeId)) {
      ByteArrayOutputStream row = new ByteArrayOutputStream(64);
      cells.appendRow(row);
      replaced.refuse(places.get(at), row.toByteArray(), 0);
    }
    if (tailValues != null) {
      giveTail(at, tailValues);
    }
    ByteArrayOutputStream text = texts[at];
    if (text == null) {
      text = new ByteArrayOutputStream(tailValues == null ? 4096 : 256);
      texts[at] = text;
    } else {
      text.write(',');
    }
    int before = text.size();
    cells.appendRow(text);
    bytes += text.size() - before;
    counts[at]++;
  }

  /** Rows of one statement have one tail. */
  private void giveTail(int at, SlotsBeside values) {
    String schema = places.get(at).physicalSchema().name();
    byte[] tail = TemplateText.render(rows.tail(), values, schema, run.session());
    if (texts[at] != null && !Arrays.equals(tail, tails[at])) {
      finish(at);
    }
    tails[at] = tail;
  }

  private int place(InsertCells cells) {
    return switch (rows.placement()) {
      case Placement.ByKey byKey -> {
        int index = storing == null ? Router.UNKNOWN : storing.index(cells);
        yield index == Router.UNKNOWN ? storedPlaces.index(byKey, cells) : index;
      }
      case Placement.AnyOf any -> Math.floorMod(bytes >> 16, places.size());
      case Placement.EveryDn every -> 0;
    };
  }

  private RowIds rowIds(AutoIncrement auto) {
    RowIds known = rowIds;
    if (known == null) {
      known = new RowIds(parts.sequences(), auto, run.session(), 0);
      rowIds = known;
    }
    return known;
  }

  private void makeId(AutoIncrement auto, InsertCells cells) {
    int cell = auto.cell();
    boolean none =
        cell < 0
            || cell >= rows.clientCells()
            || cells.isDefault(cell)
            || cells.kind(cell) == Kind.NULL;
    OptionalLong given = none ? OptionalLong.empty() : cells.wholeNumber(cell);
    boolean missing = none || (!zeroIsValue && given.equals(OptionalLong.of(0)));
    if (missing && auto.ofMysqld()) {
      GeneratedIds.requireNoInsertId(run.session().own());
      mysqldMakesIds = true;
    } else if (missing) {
      madeId = rowIds(auto).make();
      cells.id(cell, madeId);
      if (firstId == 0) {
        firstId = madeId;
      }
    } else if (given.isPresent()) {
      lastGiven = given.getAsLong();
      if (!auto.ofMysqld()) {
        rowIds(auto).given(lastGiven);
      }
    } else if (cells.kind(cell) == Kind.FLOAT) {
      // a mysqld would make an id of its own of NULL or 0
      throw ExecuteErrors.unsupported(
          "an expression for the AUTO_INCREMENT column '"
              + auto.column()
              + "' in SET of LOAD DATA: NULL, a number or a variable is");
    }
  }

  /** Sends the rows so far; inside a transaction. */
  void send(InsertOutcome outcome) {
    if (rowIds != null) {
      rowIds.passOver();
    }
    List<Batch> all = take();
    List<PlaceStatement> statements = all.stream().map(Batch::statement).toList();
    List<OkPacket> answers = WriteExecutor.answers(run, statements);
    boolean everywhere = rows.placement() instanceof Placement.EveryDn;
    int copies = everywhere ? parts.links().dns().size() : 1;
    for (int i = 0; i < answers.size(); i += copies) {
      long known = outcome.duplicates();
      outcome.add(answers.get(i), all.get(i).rows());
      boolean updatesOnly = tailValues != null && outcome.duplicates() - known == all.get(i).rows();
      if (mysqldMakesIds && firstId == 0 && !updatesOnly) {
        firstId = answers.get(i).lastInsertId();
      }
    }
    mysqldMakesIds = false;
  }

  /** The statements for the rows so far; those of one row on every DN stand together. */
  private List<Batch> take() {
    for (int at = 0; at < texts.length; at++) {
      finish(at);
    }
    bytes = 0;
    List<Batch> all = List.copyOf(finished);
    finished.clear();
    return all;
  }

  private void finish(int at) {
    ByteArrayOutputStream text = texts[at];
    if (text == null) {
      return;
    }
    ShardPlace place = places.get(at);
    byte[] sql = statement(place, text, tails[at]);
    if (rows.placement() instanceof Placement.EveryDn every) {
      int rowsOfBatch = counts[at];
      PlaceStatement.everywhere(parts.links().dns(), every.physicalSchema(), sql, new int[0])
          .forEach(statement -> finished.add(new Batch(statement, rowsOfBatch)));
    } else {
      finished.add(new Batch(new PlaceStatement(place, sql), counts[at]));
    }
    texts[at] = null;
    counts[at] = 0;
  }

  private byte[] statement(ShardPlace place, ByteArrayOutputStream text, byte @Nullable [] own) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(text.size() + 256);
    sql.writeBytes(PlaceText.render(run, rows.head(), place.physicalSchema().name()));
    sql.write(' ');
    sql.writeBytes(text.toByteArray());
    byte[] tail =
        own == null ? PlaceText.render(run, rows.tail(), place.physicalSchema().name()) : own;
    if (tail.length > 0) {
      sql.writeBytes(" ".getBytes(StandardCharsets.US_ASCII));
      sql.writeBytes(tail);
    }
    return sql.toByteArray();
  }
}
