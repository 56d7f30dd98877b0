package io.alrai.cn.gather;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.routine.Routine.Variable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Functions that the CN interprets, for a statement over a scratch schema. Each becomes a function
 * there that looks its value up; for arguments without a value it writes these down and returns
 * NULL. The statement is run until it asks for nothing new: then it has seen the values that calls
 * would have given. One virtual thread.
 */
final class ScratchFunctions {
  /** One for each level of calls within calls, and of conditions on their values. */
  private static final int MOST_RUNS = 100;

  private static final int BATCH = 1_000;
  private static final int KEY_LENGTH = 64;
  private static final Sql KEY =
      Sql.of(
          " (__alrai_key CHAR(64) CHARACTER SET ascii PRIMARY KEY, __alrai_failed BOOLEAN NOT"
              + " NULL");

  private final StatementRun run;
  private final ShardQueries queries;
  private final SideBranch side;
  private final String scratch;
  private final Catalog catalog;
  private final List<Made> made = new ArrayList<>();

  /**
   * A function in the scratch schema.
   *
   * @param failures its errors, by the keys of arguments
   */
  private record Made(
      StoredFunction function,
      Sql name,
      Sql values,
      Sql asked,
      int parameters,
      Map<String, AlraiException> failures) {}

  ScratchFunctions(
      StatementRun run, ShardQueries queries, SideBranch side, String scratch, Catalog catalog) {
    this.run = run;
    this.queries = queries;
    this.side = side;
    this.scratch = scratch;
    this.catalog = catalog;
  }

  /**
   * Makes the functions with all the values that a statement needs.
   *
   * @throws AlraiException the error of a function whose value is needed, or of the statement
   */
  void make(List<GatherPlan.Function> functions, byte[] sql) {
    for (GatherPlan.Function each : functions) {
      catalog.function(each.schema(), each.name()).ifPresent(found -> make(found, each));
    }
    for (int i = 0; i < MOST_RUNS; i++) {
      AlraiException error = tried(sql);
      if (!evaluated()) {
        if (error != null) {
          throw ofClient(error);
        }
        requireNoFailure();
        return;
      }
    }
    throw AlraiException.unsupported(
        "a query whose calls of functions build on one"
            + " another more than "
            + MOST_RUNS
            + " times");
  }

  /** With the functions' own names. */
  private AlraiException ofClient(AlraiException error) {
    String sentence = error.sentence();
    for (Made one : made) {
      String own = one.function.schema() + "." + one.function.name();
      sentence = sentence.replace(one.name.text().replace("`", ""), own);
    }
    return error.withSentence(sentence);
  }

  private void update(Sql sql) {
    side.update("", sql);
  }

  private Sql place(String name) {
    return Sql.EMPTY.name(scratch, name);
  }

  private void make(StoredFunction function, GatherPlan.Function named) {
    List<Variable> variables = run.functions().variables(function);
    Made one =
        new Made(
            function,
            place(named.scratchName()),
            place(named.scratchName() + "_values"),
            place(named.scratchName() + "_asked"),
            variables.size() - 1,
            new HashMap<>());
    String collation = function.interpreted().orElseThrow().schemaCollation();
    update(Sql.of("ALTER DATABASE ").name(scratch).words(" COLLATE ").name(collation));
    update(
        Sql.of("CREATE TABLE ")
            .add(one.values)
            .add(KEY)
            .words(", __alrai_value ")
            .written(variables.getLast().type())
            .words(" NULL)"));
    Sql asked = Sql.of("CREATE TABLE ").add(one.asked).add(KEY);
    for (Variable parameter : variables.subList(0, one.parameters)) {
      asked = asked.words(", ").add(declared(parameter)).words(" NULL");
    }
    update(asked.words(")"));
    makeAsAdmin(text(one, variables));
    made.add(one);
  }

  /** Functions are made under the account that is for them; this one outside of the log. */
  private void makeAsAdmin(Sql text) {
    SideBranch admin =
        SideBranch.open(queries, side.dn(), BackendAccount.ADMIN, run.shards().settings());
    boolean clean = false;
    try {
      admin.updates(
          Stream.of(Sql.of("SET SESSION sql_log_bin=0"), text, Sql.of("SET SESSION sql_log_bin=1"))
              .map(ShardStatement::text)
              .toList());
      clean = true;
    } finally {
      if (clean) {
        admin.close();
      } else {
        admin.discard();
      }
    }
  }

  private static Sql declared(Variable parameter) {
    return Sql.EMPTY.name(parameter.name()).words(" ").written(parameter.type());
  }

  private static Sql text(Made one, List<Variable> variables) {
    List<Sql> parameters = new ArrayList<>();
    Sql names = Sql.EMPTY;
    Sql key = Sql.of("''");
    for (Variable parameter : variables.subList(0, one.parameters)) {
      Sql name = Sql.EMPTY.name(parameter.name());
      parameters.add(declared(parameter));
      names = names.words(", ").add(name);
      boolean isFloat = isFloat(parameter.type());
      key =
          key.words(", IF(")
              .add(name)
              .words(" IS NULL, '-', HEX(CONCAT(")
              .add(isFloat ? Sql.of("CAST(").add(name).words(" AS DOUBLE)") : name)
              .words(")))");
    }
    String result = variables.getLast().type();
    return Sql.of("CREATE FUNCTION ")
        .add(one.name)
        .words(" (")
        .add(Sql.join(", ", parameters))
        .words(") RETURNS ")
        .written(result)
        .words(
            " MODIFIES SQL DATA SQL SECURITY INVOKER BEGIN DECLARE __alrai_hash CHAR(64) CHARACTER"
                + " SET ascii DEFAULT SHA2(CONCAT_WS(',', ")
        .add(key)
        .words("), 256); DECLARE __alrai_result ")
        .written(result)
        .words(
            "; DECLARE __alrai_found BOOLEAN;"
                + " DECLARE CONTINUE HANDLER FOR NOT FOUND SET __alrai_found = NULL;"
                + " SELECT __alrai_value, __alrai_failed INTO __alrai_result, __alrai_found FROM ")
        .add(one.values)
        .words(
            " WHERE __alrai_key = __alrai_hash; IF __alrai_found IS NULL OR __alrai_found THEN"
                + " INSERT INTO ")
        .add(one.asked)
        .words(" SELECT __alrai_hash, __alrai_found IS TRUE")
        .add(names)
        .words(
            " ON DUPLICATE KEY UPDATE __alrai_key = __alrai_hash; END IF; RETURN __alrai_result;"
                + " END");
  }

  /** As text it would lose digits. */
  private static boolean isFloat(String type) {
    return type.strip().toUpperCase(Locale.ROOT).startsWith("FLOAT");
  }

  /** Runs the statement for what it asks for. */
  private @Nullable AlraiException tried(byte[] sql) {
    try (ShardCall call = side.start(scratch, sql)) {
      call.columns();
      while (call.nextRow() != null) {
        // only the questions count
      }
      call.status();
      return null;
    } catch (AlraiException e) {
      if (e.errno() == AlraiException.interruption().errno()) {
        throw e;
      }
      return e;
    }
  }

  /** Puts in the values that were asked for; false when none was. */
  private boolean evaluated() {
    boolean any = false;
    for (Made one : made) {
      any |= evaluated(one);
    }
    return any;
  }

  private boolean evaluated(Made one) {
    boolean any = false;
    while (someEvaluated(one)) {
      any = true;
    }
    if (any) {
      update(Sql.of("DELETE FROM ").add(one.asked));
    }
    return any;
  }

  private boolean someEvaluated(Made one) {
    Sql query =
        Sql.of("SELECT * FROM ")
            .add(one.asked)
            .words(" WHERE NOT __alrai_failed LIMIT ")
            .number(BATCH);
    List<ColumnDefinition> columns;
    List<byte[]> rows = new ArrayList<>();
    try (ShardCall call = side.start("", query)) {
      columns = call.columns();
      for (byte[] row = call.nextRow(); row != null; row = call.nextRow()) {
        rows.add(row);
      }
      call.status();
    }
    if (rows.isEmpty()) {
      return false;
    }
    List<Sql> values = new ArrayList<>();
    List<Sql> keys = new ArrayList<>();
    for (byte[] row : rows) {
      String key = new String(row, 1, KEY_LENGTH, StandardCharsets.US_ASCII);
      Sql written = Sql.EMPTY.string(key);
      values.add(
          Sql.of("(").add(written).words(", ").written(value(one, columns, row, key)).words(")"));
      keys.add(written);
    }
    update(Sql.of("INSERT INTO ").add(one.values).words(" VALUES ").add(Sql.join(", ", values)));
    update(
        Sql.of("DELETE FROM ")
            .add(one.asked)
            .words(" WHERE __alrai_key IN (")
            .add(Sql.join(", ", keys))
            .words(")"));
    return true;
  }

  /** Whether it failed, and its value. */
  private String value(Made one, List<ColumnDefinition> columns, byte[] row, String key) {
    try {
      return "0, " + run.functions().value(run, one.function, columns, row, 2);
    } catch (AlraiException e) {
      if (e.errno() == AlraiException.interruption().errno()) {
        throw e;
      }
      one.failures.put(key, e);
      return "1, NULL";
    }
  }

  private void requireNoFailure() {
    for (Made one : made) {
      Sql query = Sql.of("SELECT __alrai_key FROM ").add(one.asked).words(" LIMIT 1");
      try (ShardCall call = side.start("", query)) {
        call.columns();
        byte[] row = call.nextRow();
        if (row != null) {
          String key = new String(row, 1, KEY_LENGTH, StandardCharsets.US_ASCII);
          AlraiException failure = one.failures.get(key);
          if (failure != null) {
            throw failure;
          }
        }
        call.status();
      }
    }
  }
}
