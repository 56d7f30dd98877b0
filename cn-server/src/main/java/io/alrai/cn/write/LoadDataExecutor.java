package io.alrai.cn.write;

import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AdminStatement.ColumnValue;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.HiddenChanges;
import io.alrai.optimizer.api.planner.LoadedRows;
import io.alrai.optimizer.api.shape.ShapedText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * LOAD DATA LOCAL: the client's file is cut into rows here, and they go to their places as
 * multi-row INSERTs, all in one transaction. As with MySQL, LOCAL means IGNORE unless REPLACE is
 * given. Virtual threads.
 */
public final class LoadDataExecutor {
  private static final Pattern VARIABLE =
      Pattern.compile("'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\"|@`?([\\w$.]+)`?");
  private static final int MAX_CONDITIONS = 64;

  private final ExecutorParts parts;

  /** Loads over these parts. */
  public LoadDataExecutor(ExecutorParts parts) {
    this.parts = parts;
  }

  /** What one run knows. */
  private final class Load {
    private final StatementRun run;
    private final LoadDataLocal load;
    private final InsertRows rows;
    private final List<CheckView> checks;
    private final List<String> fileColumns;
    private final LiteralText literals;
    private final byte[] introducer;
    private final List<Condition> conditions = new ArrayList<>();
    private int ownWarnings;
    private long lines;

    Load(StatementRun run, LoadDataLocal load) {
      this.run = run;
      this.load = load;
      Session session = run.session();
      String schema = load.table().schema().orElse(session.schema());
      if (schema.isEmpty()) {
        throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
      }
      this.fileColumns = load.columns().isEmpty() ? allColumns(schema) : load.columns();
      ShapedText insert = insert(run, load, schema, fileColumns);
      Planner.Context context =
          StatementPlanner.context(parts.catalog(session), schema, insert.mode());
      LoadedRows loaded = LoadedRows.of(insert, context);
      this.rows = loaded.rows();
      this.checks = loaded.checks();
      this.literals = SessionText.literals(session.variables());
      this.introducer =
          charset().equals(SessionText.COPIED) && literals.unconverted()
              ? new byte[0]
              : ("_" + charset() + " ").getBytes(StandardCharsets.US_ASCII);
    }

    private List<String> allColumns(String schema) {
      Catalog catalog = parts.catalog(run.session());
      String name = load.table().table();
      Optional<View> view = catalog.view(schema, name);
      if (view.isPresent()) {
        return view.get().columns();
      }
      Table table =
          catalog
              .table(schema, name)
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ER_NO_SUCH_TABLE,
                      "Table '" + schema + "." + name + "' doesn't exist"));
      return table.columns().stream().filter(c -> !c.invisible()).map(Column::name).toList();
    }

    private String charset() {
      String given = load.format().charset();
      return given.isEmpty() ? "utf8mb4" : given.equals("utf8") ? "utf8mb3" : given;
    }

    private void run(InsertOutcome outcome) {
      parts.makeChecks(run, checks);
      try {
        run.shards()
            .atomically(() -> {
              read(outcome);
              return true;
            });
      } catch (AlraiException e) {
        throw CheckViewKeeper.told(checks, parts.names().error(e));
      }
      answer(outcome);
    }

    private void read(InsertOutcome outcome) {
      RowBatches batches = new RowBatches(parts, run, rows, charset());
      try (InputStream in = run.infile().open(load.file())) {
        LineFields file = new LineFields(in, load.format());
        for (long i = 0; i < load.format().ignoreLines(); i++) {
          file.skipLine();
        }
        Optional<List<Optional<byte[]>>> line;
        while ((line = file.next()).isPresent()) {
          lines++;
          batches.add(row(line.get()));
          if (batches.isFull()) {
            batches.send(outcome);
          }
        }
        batches.send(outcome);
      } catch (IOException e) {
        throw new AlraiException(
            ErrorCode.ER_ERROR_ON_READ, "cannot read the client's file: " + e.getMessage(), e);
      }
    }

    private LoadedRow row(List<Optional<byte[]>> fields) {
      LoadedRow row = new LoadedRow(literals, introducer);
      Map<String, byte @Nullable []> variables = new HashMap<>();
      for (int i = 0; i < fileColumns.size(); i++) {
        String column = fileColumns.get(i);
        boolean there = i < fields.size();
        byte[] value = there ? fields.get(i).orElse(null) : null;
        if (column.startsWith("@")) {
          variables.put(column.substring(1), value);
        } else if (there) {
          row.field(value);
        } else {
          row.defaultValue();
        }
      }
      if (fields.size() < fileColumns.size()) {
        warn(1261, "Row " + lines + " doesn't contain data for all columns");
      } else if (fields.size() > fileColumns.size()) {
        warn(
            1262,
            "Row "
                + lines
                + " was truncated; it contained more data than there were input columns");
      }
      for (ColumnValue assignment : load.set()) {
        assign(row, assignment, variables);
      }
      for (int i = row.count(); i < rows.columns().size(); i++) {
        row.defaultValue();
      }
      return row;
    }

    /** Adds an assignment's cell: a variable's field as it is, or the SQL with its literals. */
    private void assign(
        LoadedRow row, ColumnValue assignment, Map<String, byte @Nullable []> variables) {
      byte[] rendered = TemplateText.render(assignment.value(), run.values(), "", run.session());
      // ISO 8859-1 stands for bytes
      String text = new String(rendered, StandardCharsets.ISO_8859_1);
      Matcher matcher = VARIABLE.matcher(text.strip());
      if (matcher.matches() && isOfLine(matcher.group(1), variables)) {
        row.field(variables.get(matcher.group(1).toLowerCase(Locale.ROOT)));
        return;
      }
      matcher = VARIABLE.matcher(text);
      StringBuilder sql = new StringBuilder();
      while (matcher.find()) {
        String name = matcher.group(1);
        String replacement = matcher.group();
        if (isOfLine(name, variables)) {
          byte[] value = variables.get(name.toLowerCase(Locale.ROOT));
          replacement =
              value == null ? "NULL" : new String(row.literal(value), StandardCharsets.ISO_8859_1);
        }
        matcher.appendReplacement(sql, Matcher.quoteReplacement(replacement));
      }
      row.expression(matcher.appendTail(sql).toString());
    }

    private static boolean isOfLine(
        @Nullable String name, Map<String, byte @Nullable []> variables) {
      return name != null && variables.containsKey(name.toLowerCase(Locale.ROOT));
    }

    private void warn(int code, String message) {
      ownWarnings++;
      if (conditions.size() < MAX_CONDITIONS) {
        conditions.add(new Condition("Warning", code, message));
      }
    }

    private void answer(InsertOutcome outcome) {
      Session session = run.session();
      int warnings = outcome.warnings() + ownWarnings;
      boolean replace = load.duplicates().equals("REPLACE");
      String info =
          "Records: "
              + lines
              + "  Deleted: "
              + (replace ? outcome.duplicates() : 0)
              + "  Skipped: "
              + (replace ? 0 : outcome.duplicates())
              + "  Warnings: "
              + warnings;
      LogicalNames names = parts.names();
      run.shards()
          .takeWarnings()
          .forEach(w ->
              conditions.add(
                  new Condition(
                      w.level(), w.code(), CheckViewKeeper.told(checks, names.text(w.message())))));
      session.last().diagnostics(Diagnostics.ofWarnings(conditions));
      session.last().rowCount(outcome.affectedRows());
      run.writer()
          .ok(
              new OkPacket(
                  outcome.affectedRows(), 0, run.statusFlags(), Math.min(warnings, 0xffff), info));
    }
  }

  /** Loads a file and answers the client. */
  public void run(StatementRun run, LoadDataLocal statement) {
    run.shards().takeWarnings();
    try {
      boolean replaces = statement.duplicates().equals("REPLACE");
      if (run.session().checksConflicts()) {
        refuseConflicts(run, statement, replaces);
      }
      Load load = new Load(run, statement);
      load.run(new InsertOutcome(!replaces));
    } catch (AlraiException e) {
      throw parts.names().error(e);
    }
  }

  private void refuseConflicts(StatementRun run, LoadDataLocal statement, boolean replaces) {
    if (replaces) {
      throw ExecuteErrors.unsupported(
          "LOAD DATA with REPLACE with snapshot_isolation_conflicts=ON; COMMIT before it");
    }
    Session session = run.session();
    HiddenChanges.refuse(
        statement.table(),
        StatementPlanner.context(
            parts.catalog(session), session.schema(), session.variables().lexicalMode()));
  }

  /** The INSERT that rows of the file go into, as the planner makes it of a query's. */
  private static ShapedText insert(
      StatementRun run, LoadDataLocal load, String schema, List<String> fileColumns) {
    List<String> columns = new ArrayList<>();
    fileColumns.stream().filter(column -> !column.startsWith("@")).forEach(columns::add);
    load.set().forEach(assignment -> columns.add(assignment.column()));
    Sql sql =
        Sql.of(load.duplicates().equals("REPLACE") ? "REPLACE INTO " : "INSERT IGNORE INTO ")
            .name(schema, load.table().table())
            .words(" (")
            .names(columns)
            .words(") SELECT 1");
    return ShapedText.of(sql.text(), run.session().variables().lexicalMode());
  }
}
