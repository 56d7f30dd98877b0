package io.alrai.cn.write;

import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.load.FileMarks;
import io.alrai.cn.load.LineScanner;
import io.alrai.cn.load.LoadOutcome;
import io.alrai.cn.load.PartSender;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.HiddenChanges;
import io.alrai.optimizer.api.planner.LoadedRows;
import io.alrai.optimizer.api.shape.ShapedText;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * LOAD DATA LOCAL: the client's file is cut into lines here, which go to their places, all in one
 * transaction: as they are ({@link PlacedLines}), or where that cannot be as rows of INSERTs
 * ({@link InsertedLines}). As with MySQL, LOCAL means IGNORE unless REPLACE is given. Virtual
 * threads.
 */
public final class LoadDataExecutor {
  /** MySQL's default of max_error_count. */
  private static final int MOST_CONDITIONS = 1_024;

  /** After how many lines SHOW PROCESSLIST shows them. */
  private static final int TOLD_LINES = 10_000;

  private final ExecutorParts parts;
  private final Collations collations;

  /**
   * Loads over these parts.
   *
   * @param collations what the mysqlds know
   */
  public LoadDataExecutor(ExecutorParts parts, Collations collations) {
    this.parts = parts;
    this.collations = collations;
  }

  /**
   * What the client is answered.
   *
   * @param deleted rows that REPLACE took away
   * @param skipped rows that were there already
   * @param conditions those of the warnings that are kept
   * @param firstMade the first AUTO_INCREMENT id that was made, or 0
   */
  private record Loaded(
      long affectedRows,
      long deleted,
      long skipped,
      long warnings,
      List<Condition> conditions,
      long firstMade) {}

  /** What one run knows. */
  private final class Load {
    private final StatementRun run;
    private final LoadDataLocal load;
    private final FileMarks marks;
    private final PlacedLines.Target target;
    private final List<CheckView> checks;
    private final int mostConditions;
    private long lines;

    Load(StatementRun run, LoadDataLocal load) {
      this.run = run;
      this.load = load;
      Session session = run.session();
      this.marks = new FileMarks(load.format(), SessionText.ofConnection(session.variables()));
      String schema = load.table().schema().orElse(session.schema());
      if (schema.isEmpty()) {
        throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
      }
      List<String> fileColumns = load.columns().isEmpty() ? allColumns(schema) : load.columns();
      ShapedText insert = insert(run, load, schema, fileColumns);
      Planner.Context context =
          StatementPlanner.context(parts.catalog(session), schema, insert.mode());
      LoadedRows loaded = LoadedRows.of(insert, context);
      this.target = new PlacedLines.Target(loaded.rows(), charset(), fileColumns, marks);
      this.checks = loaded.checks();
      String most = session.variables().settings().literal("max_error_count");
      this.mostConditions = most.isEmpty() ? MOST_CONDITIONS : Integer.parseInt(most);
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

    /** As a rule that of the session's database, as of a mysqld's character_set_database. */
    private String charset() {
      String given = load.format().charset();
      if (!given.isEmpty()) {
        if (collations.defaultOf(given).isEmpty()) {
          throw new AlraiException(
              ErrorCode.ER_UNKNOWN_CHARACTER_SET, "Unknown character set: '" + given + "'");
        }
        return given.equals("utf8") ? "utf8mb3" : given;
      }
      Session session = run.session();
      return parts
          .catalog(session)
          .schema(session.schema())
          .map(Schema::charset)
          .orElse(SessionText.COPIED);
    }

    private void run(boolean replaces) {
      boolean asTheyAre = checks.isEmpty() && PlacedLines.fit(run, load, target);
      parts.makeChecks(run, checks);
      Loaded loaded;
      try {
        loaded = run.shards().atomically(() -> asTheyAre ? placed() : inserted(replaces));
      } catch (AlraiException e) {
        throw CheckViewKeeper.told(checks, parts.names().error(e));
      }
      answer(loaded);
    }

    private Loaded placed() {
      LoadOutcome outcome = new LoadOutcome(mostConditions, ofAll());
      try (InputStream in = open();
          PartSender sender = new PartSender(run.shards(), outcome)) {
        LineScanner file = scanner(in);
        PlacedLines placed = new PlacedLines(parts, run, load, target, file, sender);
        read(file, () -> placed.add(lines));
        placed.finish();
        return new Loaded(
            outcome.affectedRows(),
            outcome.deleted(),
            outcome.skipped(),
            outcome.warnings(),
            outcome.conditions(),
            placed.firstMade());
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    private Loaded inserted(boolean replaces) {
      InsertOutcome outcome = new InsertOutcome(!replaces);
      try (InputStream in = open()) {
        LineScanner file = scanner(in);
        InsertedLines inserted =
            new InsertedLines(parts, run, load, target, outcome, mostConditions, ofAll());
        read(file, () -> inserted.add(file));
        inserted.send();
        return new Loaded(
            outcome.affectedRows(),
            replaces ? outcome.duplicates() : 0,
            replaces ? 0 : outcome.duplicates(),
            inserted.warnings(),
            inserted.conditions(),
            inserted.firstMade());
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    /** What MySQL warns of once. */
    private List<Condition> ofAll() {
      return marks.areForeign()
          ? List.of(
              new Condition(
                  "Warning", 1638, "Non-ASCII separator arguments are not fully supported"))
          : List.of();
    }

    private InputStream open() {
      return run.infile().open(load.file());
    }

    private LineScanner scanner(InputStream in) {
      return new LineScanner(in, marks, target.charset(), target.fileColumns().size());
    }

    private void read(LineScanner file, Runnable taker) {
      long left = load.format().ignoreLines();
      while (left > 0 && file.skip()) {
        left--;
      }
      Activity before = run.session().activity();
      while (file.next()) {
        lines++;
        taker.run();
        if (lines % TOLD_LINES == 0) {
          String told = "Reading the client's file: " + lines + " lines";
          run.session().activity(before.waiting(told, before.sinceMillis()));
        }
      }
      run.session().activity(before);
    }

    private static AlraiException unreadable(IOException reason) {
      return new AlraiException(
          ErrorCode.ER_ERROR_ON_READ,
          "cannot read the client's file: " + reason.getMessage(),
          reason);
    }

    private void answer(Loaded loaded) {
      Session session = run.session();
      String info =
          "Records: "
              + lines
              + "  Deleted: "
              + loaded.deleted()
              + "  Skipped: "
              + loaded.skipped()
              + "  Warnings: "
              + loaded.warnings();
      LogicalNames names = parts.names();
      List<Condition> conditions =
          loaded.conditions().stream()
              .map(w ->
                  new Condition(
                      w.level(), w.code(), CheckViewKeeper.told(checks, names.text(w.message()))))
              .toList();
      int warnings = (int) Math.min(loaded.warnings(), Integer.MAX_VALUE);
      session.last().diagnostics(new Diagnostics(conditions, warnings, 0));
      session.last().rowCount(loaded.affectedRows());
      if (loaded.firstMade() != 0 && loaded.affectedRows() > 0) {
        session.last().lastInsertId(loaded.firstMade());
      }
      run.writer()
          .ok(
              new OkPacket(
                  loaded.affectedRows(), 0, run.statusFlags(), Math.min(warnings, 0xffff), info));
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
      new Load(run, statement).run(replaces);
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
