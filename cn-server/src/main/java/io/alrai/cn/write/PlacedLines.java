package io.alrai.cn.write;

import io.alrai.cn.load.FileMarks;
import io.alrai.cn.load.FilePart;
import io.alrai.cn.load.LineScanner;
import io.alrai.cn.load.PartSender;
import io.alrai.cn.route.Router;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.SessionText;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file on their way to the mysqlds as they are: each goes into a part for the place
 * of its row, which that place's mysqld reads by a LOAD DATA LOCAL of its own, with the client's
 * clauses. So fields, conversions and warnings are a mysqld's. Only an id that the CN makes is put
 * in front of its line, and from then on in front of all. One thread.
 */
final class PlacedLines {
  private static final int MOST_BYTES = 8 << 20;
  private static final int MOST_PART = 512 << 10;
  private static final int LEAST_PART = 32 << 10;
  private static final int ROWS_OF_PLACE = 1 << 12;

  /** In which no byte is a character of ASCII. */
  private static final Set<String> WIDE = Set.of("ucs2", "utf16", "utf16le", "utf32");

  private static final Pattern WORD = Pattern.compile("[a-z0-9_]+");
  private static final byte[] NOTHING = {};

  /** Takes fields that no column gets. */
  private static final Sql UNUSED = Sql.of("@alrai_unused");

  private final ExecutorParts parts;
  private final StatementRun run;
  private final LoadDataLocal load;
  private final InsertRows rows;
  private final String charset;
  private final List<Sql> fileColumns;
  private final LineScanner line;
  private final List<ShardPlace> places;
  private final @Nullable FilePart[] open;
  private final LineCells cells;
  private final Router.@Nullable Storing storing;
  private final PartSender sender;
  private final int partBytes;
  private final @Nullable RowIds ids;
  private final int idCell;
  private final FileMarks marks;
  private final byte[] fieldEnd;
  private final boolean zeroIsValue;

  /** Whether ids are in front of lines. */
  private boolean numbered;

  private long firstMade;

  private long held;

  PlacedLines(
      ExecutorParts parts,
      StatementRun run,
      LoadDataLocal load,
      Target target,
      LineScanner line,
      PartSender sender) {
    this.parts = parts;
    this.run = run;
    this.load = load;
    this.rows = target.rows();
    this.charset = target.charset();
    List<String> fileColumns = target.fileColumns();
    this.fileColumns = named(rows, fileColumns);
    this.line = line;
    this.sender = sender;
    this.marks = target.marks();
    this.fieldEnd = marks.fieldEnd();
    this.cells = new LineCells(line, fields(rows, fileColumns));
    this.places = RowBatches.places(parts, rows.placement());
    this.open = new FilePart[places.size()];
    this.partBytes = Math.clamp(MOST_BYTES / places.size(), LEAST_PART, MOST_PART);
    this.storing =
        rows.placement() instanceof Placement.ByKey byKey
            ? parts.router().storing(byKey.function(), byKey.cells(), charset)
            : null;
    if (rows.autoIncrement().filter(AutoIncrement::ofMysqld).isPresent()) {
      GeneratedIds.requireNoInsertId(run.session().own());
    }
    Optional<AutoIncrement> made = rows.autoIncrement().filter(auto -> !auto.ofMysqld());
    this.ids = made.map(auto -> new RowIds(parts.sequences(), auto, run.session(), 0)).orElse(null);
    int cell = made.map(AutoIncrement::cell).orElse(-1);
    this.idCell = cell >= 0 && cell < rows.clientCells() ? cell : -1;
    this.zeroIsValue = SessionText.hasMode(run.session().variables(), "NO_AUTO_VALUE_ON_ZERO");
  }

  /**
   * Where lines go.
   *
   * @param charset of the file
   * @param fileColumns what its fields are for; user variables with their {@code @}
   */
  record Target(InsertRows rows, String charset, List<String> fileColumns, FileMarks marks) {
    Target {
      fileColumns = List.copyOf(fileColumns);
    }
  }

  /** Whether the lines of a file may go to the mysqlds as they are. */
  static boolean fit(StatementRun run, LoadDataLocal load, Target target) {
    InsertRows rows = target.rows();
    return load.set().isEmpty()
        && !rows.isOfSession()
        && !run.session().checksConflicts()
        && WORD.matcher(target.charset()).matches()
        && !WIDE.contains(target.charset())
        && keyIsThere(rows)
        && rows.autoIncrement().map(auto -> idsFit(load, target.marks(), auto)).orElse(true);
  }

  /** Whether the client's columns have the whole key. */
  private static boolean keyIsThere(InsertRows rows) {
    return !(rows.placement() instanceof Placement.ByKey byKey)
        || byKey.cells().stream().allMatch(cell -> isOfFile(rows, cell))
            && byKey.function().columns().stream().noneMatch(column -> column.nullable());
  }

  /** Whether a cell is a field, or the made id; defaults are the mysqld's. */
  private static boolean isOfFile(InsertRows rows, int cell) {
    return cell >= 0
        && (cell < rows.clientCells()
            || rows.autoIncrement()
                .filter(auto -> auto.appended() && auto.cell() == cell)
                .isPresent());
  }

  private static boolean idsFit(LoadDataLocal load, FileMarks marks, AutoIncrement auto) {
    return auto.ofMysqld() || !load.duplicates().equals("REPLACE") && !marks.haveDigits();
  }

  /** Which field each cell is; a made id that the client leaves out is none. */
  private static int[] fields(InsertRows rows, List<String> fileColumns) {
    int[] own =
        IntStream.range(0, fileColumns.size())
            .filter(i -> !fileColumns.get(i).startsWith("@"))
            .toArray();
    int[] all = Arrays.copyOf(own, rows.columns().size());
    Arrays.fill(all, own.length, all.length, Integer.MAX_VALUE);
    return all;
  }

  /** The columns of the place's table, which a view may call otherwise. */
  private static List<Sql> named(InsertRows rows, List<String> fileColumns) {
    List<Sql> named = new ArrayList<>();
    int cell = 0;
    for (String column : fileColumns) {
      boolean unused = column.startsWith("@");
      named.add(unused ? UNUSED : Sql.EMPTY.names(List.of(rows.columns().get(cell++))));
    }
    return named;
  }

  /**
   * Takes the present line.
   *
   * @param number of it in the file, from 1
   */
  void add(long number) {
    cells.moved();
    byte[] id = ids == null ? NOTHING : id(ids);
    int at = place(number);
    FilePart part = open[at];
    if (part == null) {
      ShardPlace place = places.get(at);
      part = new FilePart(place.dn(), text(place), false);
      open[at] = part;
    }
    int before = part.room();
    part.line(number);
    if (numbered) {
      if (id.length == 0) {
        line.appendWritten(cells.field(idCell), part);
      }
      part.append(id);
      part.append(fieldEnd);
    }
    line.appendLine(part);
    held += part.room() - before;
    if (part.room() > partBytes) {
      send(at);
    } else if (held > MOST_BYTES) {
      sendAll();
    }
  }

  /**
   * The digits of the id of the line's row, none for a text that only a mysqld understands. Where
   * one is made for the first time, lines have theirs in front from now on.
   */
  private byte[] id(RowIds made) {
    boolean none = idCell < 0 || cells.isMissing(idCell) || cells.kind(idCell) == Kind.NULL;
    OptionalLong given = none ? OptionalLong.empty() : cells.wholeNumber(idCell);
    boolean zero = given.equals(OptionalLong.of(0)) && !zeroIsValue;
    if (!none && !zero) {
      given.ifPresent(made::given);
      return given.isPresent() ? digits(given.getAsLong()) : NOTHING;
    }
    if (!numbered) {
      sendAll();
      numbered = true;
    }
    long id = made.make();
    if (firstMade == 0) {
      firstMade = id;
    }
    byte[] digits = digits(id);
    cells.put(rows.autoIncrement().orElseThrow().cell(), digits);
    return digits;
  }

  private static byte[] digits(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  private int place(long number) {
    return switch (rows.placement()) {
      case Placement.ByKey byKey -> {
        int index = storing == null ? Router.UNKNOWN : storing.index(cells);
        yield index == Router.UNKNOWN ? stored(byKey) : index;
      }
      case Placement.AnyOf any -> (int) (number / ROWS_OF_PLACE % places.size());
      case Placement.EveryDn every -> 0;
    };
  }

  /** The place by what a mysqld would store; it says itself what it does not take. */
  private int stored(Placement.ByKey byKey) {
    LoadedRow row =
        new LoadedRow(
            SessionText.literals(run.session().variables()),
            ("_" + charset + " ").getBytes(StandardCharsets.US_ASCII));
    for (int cell = 0; cell < rows.columns().size(); cell++) {
      int key = byKey.cells().indexOf(cell);
      if (key >= 0) {
        row.field(cells.value(cell), charset, byKey.function().columns().get(key));
      } else {
        row.defaultValue();
      }
    }
    return new StoredPlaces(parts, run, rows).index(byKey, row, true);
  }

  /** Sends what is left, and waits for all. */
  void finish() {
    sendAll();
    sender.finish();
    if (ids != null) {
      ids.passOver();
    }
  }

  /** The first id that the CN made for a line, or 0. */
  long firstMade() {
    return firstMade;
  }

  private void sendAll() {
    for (int at = 0; at < open.length; at++) {
      send(at);
    }
  }

  private void send(int at) {
    FilePart part = open[at];
    if (part == null) {
      return;
    }
    open[at] = null;
    held -= part.room();
    if (ids != null) {
      ids.passOver();
    }
    sender.send(part);
    if (rows.placement() instanceof Placement.EveryDn) {
      List<DnId> all = parts.links().dns();
      all.subList(1, all.size()).forEach(dn -> sender.send(part.copyFor(dn)));
    }
  }

  private Sql text(ShardPlace place) {
    Sql sql =
        Sql.of("LOAD DATA LOCAL INFILE 'rows' ")
            .add(load.duplicates().equals("REPLACE") ? Sql.of("REPLACE") : Sql.of("IGNORE"))
            .words(" INTO TABLE ")
            .name(place.physicalSchema().name(), rows.table())
            .words(" CHARACTER SET ")
            .word(charset)
            .words(" FIELDS TERMINATED BY ")
            .add(text(marks.fieldEnd()))
            .add(load.format().optionallyEnclosed() ? Sql.of(" OPTIONALLY") : Sql.EMPTY)
            .words(" ENCLOSED BY ")
            .add(text(marks.quote()))
            .words(" ESCAPED BY ")
            .add(text(marks.escape()))
            .words(" LINES TERMINATED BY ")
            .add(text(marks.lineEnd()))
            .words(" (");
    return sql.add(Sql.join(",", columns())).words(")");
  }

  private static Sql text(byte[] mark) {
    return mark.length == 0 ? Sql.of("''") : Sql.EMPTY.hex(mark);
  }

  private List<Sql> columns() {
    List<Sql> columns = new ArrayList<>(fileColumns);
    if (numbered) {
      if (idCell >= 0) {
        columns.set(cells.field(idCell), UNUSED);
      }
      columns.addFirst(Sql.EMPTY.names(List.of(rows.autoIncrement().orElseThrow().column())));
    }
    return columns;
  }
}
