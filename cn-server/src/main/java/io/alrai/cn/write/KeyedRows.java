package io.alrai.cn.write;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.RowSlots;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.ShiftedSlots;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Table;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rows of one table that a statement has chosen, each once, and their write. One thread. */
final class KeyedRows implements AutoCloseable {
  private static final int KEYS_OF_A_STATEMENT = 1000;

  /** For keys that do not show at which place their rows are. */
  private static final int ANYWHERE = -1;

  private final ExecutorParts parts;
  private final StatementRun run;
  private final KeyedTarget target;
  private final int start;
  private final List<ShardPlace> places;
  private final LiteralText literals;
  private final Map<Part, List<String>> keys = new LinkedHashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<ShardPlace> changed = new LinkedHashSet<>();
  private final Optional<RowMoves> moves;
  private final List<Waiting> waiting = new ArrayList<>();
  private @Nullable MovedKeys movedKeys;
  private @Nullable KeyedConversion conversion;

  /** A row whose values are being converted. */
  private record Waiting(int place, String key) {}

  /** Rows of one place that get the same values; empty ones where all do. */
  private record Part(int place, String values) {}

  /**
   * Begins without rows.
   *
   * @param start the table's first column of the rows
   * @param ofStatement the places that the statement leads to
   */
  KeyedRows(
      ExecutorParts parts,
      StatementRun run,
      KeyedTarget target,
      int start,
      List<ShardPlace> ofStatement) {
    this.parts = parts;
    this.run = run;
    this.target = target;
    this.start = start;
    boolean elsewhere = !target.home().equals(KeyedTarget.OF_STATEMENT);
    this.places =
        elsewhere && target.home() instanceof Targets.All all ? all.places() : ofStatement;
    this.literals = SessionText.literals(run.session().variables());
    this.moves =
        target.moved().map(stored -> new RowMoves(parts, run, stored, target.keyColumns()));
  }

  /** Before anything is read. */
  void check() {
    moves.ifPresent(RowMoves::refuseForeignKeys);
  }

  /**
   * Before the first row of a gathered SELECT.
   *
   * @param columns of its rows
   */
  void begin(GatherPlan plan, List<ColumnDefinition> columns, boolean ignores) {
    int firstValue = start + target.keyWidth();
    conversion =
        KeyedConversion.of(parts, run, plan, target, columns, firstValue, ignores).orElse(null);
  }

  /**
   * After the last row.
   *
   * @param warnings takes those of converting values
   */
  void end(Queue<Condition> warnings) {
    KeyedConversion used = conversion;
    if (used != null) {
      Iterator<Waiting> next = waiting.iterator();
      used.read(
          warnings,
          rows -> {
            Waiting row = next.next();
            keep(new Part(row.place, values(rows.columns(), rows.row(), 0)), row.key);
          });
    }
  }

  /** All rows so far: they are chosen once more. */
  void forget() {
    close();
    keys.clear();
    seen.clear();
    waiting.clear();
    movedKeys = null;
  }

  @Override
  public void close() {
    if (conversion != null) {
      conversion.close();
      conversion = null;
    }
  }

  /** Adds the table's part of a row. */
  void add(RowSource rows) {
    Row row = rows.row();
    int keyStart = start + target.function().columns().size();
    if (row.isNull(keyStart)) {
      return; // of an outer join without a row of this table
    }
    String key = key(rows, keyStart);
    if (seen.add(key)) { // joined with several rows: it is written once
      put(rows, start, key);
    }
  }

  /** Records the key in the table's part of a row. */
  void expect(RowSource rows) {
    int keyStart = start + target.function().columns().size();
    if (!rows.row().isNull(keyStart)) {
      seen.add(key(rows, keyStart));
    }
  }

  /** Adds a row of this table alone, if its key was recorded. */
  void addExpected(RowSource rows) {
    String key = key(rows, target.function().columns().size());
    if (seen.contains(key)) {
      put(rows, 0, key);
    }
  }

  private void put(RowSource rows, int from, String key) {
    List<ColumnDefinition> columns = rows.columns();
    Row row = rows.row();
    int first = from + target.keyWidth();
    int place = place(columns, row, from);
    if (conversion == null) {
      keep(new Part(place, values(columns, row, first)), key);
    } else {
      conversion.add(columns, row);
      waiting.add(new Waiting(place, key));
    }
    if (target.moved().isPresent()) {
      if (movedKeys == null) {
        movedKeys = movedKeys(columns, from, first);
      }
      movedKeys.add(columns, row);
    }
  }

  private void keep(Part part, String key) {
    keys.computeIfAbsent(part, any -> new ArrayList<>()).add(key);
  }

  /** The assignments, whose values are the columns from {@code first} on. */
  private String values(List<ColumnDefinition> columns, Row row, int first) {
    ByteArrayOutputStream values = new ByteArrayOutputStream(64);
    for (int i = 0; i < target.assigned().size(); i++) {
      Sql name = (i == 0 ? Sql.EMPTY : Sql.of(",")).name(target.assigned().get(i)).words("=");
      values.writeBytes(SessionText.encoded(run.session().variables(), name));
      literals.append(columns.get(first + i), row, first + i, values);
    }
    return values.toString(StandardCharsets.ISO_8859_1);
  }

  /** As a row literal; ISO 8859-1 stands for bytes. */
  private String key(RowSource rows, int keyStart) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(32);
    for (int i = keyStart; i < keyStart + target.keyColumns().size(); i++) {
      out.write(i == keyStart ? '(' : ',');
      literals.append(rows.columns().get(i), rows.row(), i, out);
    }
    out.write(')');
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private int place(List<ColumnDefinition> columns, Row row, int from) {
    if (target.function().columns().isEmpty()) {
      return ANYWHERE;
    }
    ShiftedSlots slots = new ShiftedSlots(new RowSlots(columns, row), from);
    return parts.router().indexOfStored(target.function(), slots, SessionText.COPIED);
  }

  private MovedKeys movedKeys(List<ColumnDefinition> columns, int from, int firstValue) {
    List<KeyColumn> partitionKey = target.function().columns();
    int[] at = new int[partitionKey.size()];
    for (int i = 0; i < at.length; i++) {
      at[i] = from + i;
      for (int j = 0; j < target.assigned().size(); j++) {
        if (target.assigned().get(j).equalsIgnoreCase(partitionKey.get(i).name())) {
          at[i] = firstValue + j;
        }
      }
    }
    boolean foreseen = !target.assigned().isEmpty();
    return new MovedKeys(run, partitionKey, columns, at, foreseen);
  }

  /** The statements that write them. */
  List<PlaceStatement> statements() {
    if (target.home() instanceof Targets.EveryDn every) {
      return everywhere(every.physicalSchema());
    }
    List<PlaceStatement> statements = new ArrayList<>();
    for (ShardPlace place : places) {
      for (byte[] sql : texts(place.index(), place.physicalSchema().name(), key -> key)) {
        statements.add(new PlaceStatement(place, sql));
      }
    }
    return statements;
  }

  private List<PlaceStatement> everywhere(PhysicalSchema schema) {
    List<DnId> dns = parts.links().dns();
    List<PlaceStatement> statements = new ArrayList<>();
    boolean hidden = target.keyColumns().equals(List.of(Table.IMPLICIT_KEY));
    if (!hidden || keys.isEmpty() || dns.size() == 1) {
      for (byte[] sql : texts(0, schema.name(), key -> key)) {
        statements.addAll(PlaceStatement.everywhere(dns, schema, sql, new int[0]));
      }
      return statements;
    }
    HiddenCopies copies = new HiddenCopies(parts, run, target, schema);
    Set<String> chosen = new HashSet<>();
    keys.values().forEach(chosen::addAll);
    copies.choose(dns.getFirst(), chosen);
    for (DnId dn : dns) {
      boolean first = dn.equals(dns.getFirst());
      UnaryOperator<String> there = first ? UnaryOperator.identity() : copies.keysAt(dn);
      ShardPlace place = new ShardPlace(0, schema, dn);
      for (byte[] sql : texts(0, schema.name(), there)) {
        statements.add(new PlaceStatement(place, sql, new int[0], !first));
      }
    }
    return statements;
  }

  /** {@code there} gives the key that a row has at the place. */
  private List<byte[]> texts(int place, String physicalSchema, UnaryOperator<String> there) {
    List<byte[]> texts = new ArrayList<>();
    keys.forEach((part, mine) -> {
      boolean here = part.place() == place || part.place() == ANYWHERE;
      for (int from = 0; here && from < mine.size(); ) {
        int to = Math.min(mine.size(), from + KEYS_OF_A_STATEMENT);
        List<String> some = mine.subList(from, to).stream().map(there).toList();
        texts.add(text(physicalSchema, part.values(), some));
        from = to;
      }
    });
    return texts;
  }

  private byte[] text(String physicalSchema, String values, List<String> some) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(256);
    byte[] head = PlaceText.render(run, target.head(), physicalSchema);
    if (SafeUpdates.areAsked(run)) {
      String text = SafeUpdates.unasked(new String(head, StandardCharsets.ISO_8859_1));
      head = text.getBytes(StandardCharsets.ISO_8859_1);
    }
    sql.writeBytes(head);
    if (!values.isEmpty()) {
      sql.writeBytes((values + " WHERE").getBytes(StandardCharsets.ISO_8859_1));
    }
    Sql condition = Sql.of(" (").names(target.keyColumns()).words(") IN (");
    sql.writeBytes(SessionText.encoded(run.session().variables(), condition));
    sql.writeBytes(String.join(",", some).getBytes(StandardCharsets.ISO_8859_1));
    sql.write(')');
    return sql.toByteArray();
  }

  /** What one of {@link #statements} did. */
  void done(PlaceStatement statement, OkPacket ok) {
    if (ok.affectedRows() > 0) {
      changed.add(statement.place());
    }
  }

  /** After all statements: moves rows to where their new keys lead. */
  void move() {
    MovedKeys found = movedKeys;
    if (found != null) {
      moves.ifPresent(rows -> rows.move(List.copyOf(changed), found.condition()));
    }
  }
}
