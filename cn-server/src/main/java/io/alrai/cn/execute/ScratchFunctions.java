package io.alrai.cn.execute;

import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.routine.Routine.Variable;
import io.alrai.optimizer.syntax.Identifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Functions that the CN interprets, for a statement over a scratch schema. Each is there a function
 * that looks its value up; arguments that it has no value for it writes down, and returns NULL. So
 * the statement runs until it asks for nothing new: then it has seen the values that it would have
 * seen had the functions been called. One virtual thread.
 */
final class ScratchFunctions {
  /** One for each level of calls within calls, and of conditions on their values. */
  private static final int MOST_RUNS = 100;

  private static final int BATCH = 1_000;
  private static final int KEY_LENGTH = 64;
  private static final String KEY =
      " (__alrai_key CHAR(64) CHARACTER SET ascii PRIMARY KEY, __alrai_failed BOOLEAN NOT NULL";

  private final StatementRun run;
  private final ShardQueries queries;
  private final SideBranch side;
  private final String scratch;
  private final Catalog catalog;
  private final List<Made> made = new ArrayList<>();

  /**
   * A function in the scratch schema.
   *
   * @param failures what it failed with, by the keys of arguments
   */
  private record Made(
      StoredFunction function,
      String name,
      String values,
      String asked,
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
   * @throws AlraiException what a function fails with whose value is needed, or the statement
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
    throw new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "This version of Alrai doesn't yet support a query whose calls of functions build on one"
            + " another more than "
            + MOST_RUNS
            + " times");
  }

  /** With the functions' own names. */
  private AlraiException ofClient(AlraiException error) {
    String sentence = error.sentence();
    for (Made one : made) {
      String own = one.function.schema() + "." + one.function.name();
      sentence = sentence.replace(one.name.replace("`", ""), own);
    }
    return error.withSentence(sentence);
  }

  private void update(String sql) {
    side.update("", SessionText.encoded(run.session(), sql));
  }

  private String place(String name) {
    return Identifier.quote(scratch) + "." + Identifier.quote(name);
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
    update("ALTER DATABASE " + Identifier.quote(scratch) + " COLLATE " + collation);
    update(
        "CREATE TABLE "
            + one.values
            + KEY
            + ", __alrai_value "
            + variables.getLast().type()
            + " NULL)");
    StringBuilder asked = new StringBuilder("CREATE TABLE ").append(one.asked).append(KEY);
    for (Variable parameter : variables.subList(0, one.parameters)) {
      asked.append(", ").append(declared(parameter)).append(" NULL");
    }
    update(asked.append(')').toString());
    makeAsOwner(text(one, variables));
    made.add(one);
  }

  /**
   * A function is the owner's to make, where there is a binary log; outside of which it is made.
   */
  private void makeAsOwner(String text) {
    SideBranch owner =
        SideBranch.open(queries, side.dn(), BackendAccount.OWNER, run.shards().settings());
    boolean clean = false;
    try {
      owner.updates(
          Stream.of("SET SESSION sql_log_bin=0", text, "SET SESSION sql_log_bin=1")
              .map(sql -> SessionText.encoded(run.session(), sql))
              .toList());
      clean = true;
    } finally {
      if (clean) {
        owner.close();
      } else {
        owner.discard();
      }
    }
  }

  private static String declared(Variable parameter) {
    return Identifier.quote(parameter.name()) + " " + parameter.type();
  }

  private static String text(Made one, List<Variable> variables) {
    StringJoiner parameters = new StringJoiner(", ");
    StringBuilder names = new StringBuilder();
    StringBuilder key = new StringBuilder("''");
    for (Variable parameter : variables.subList(0, one.parameters)) {
      String name = Identifier.quote(parameter.name());
      parameters.add(declared(parameter));
      names.append(", ").append(name);
      key.append(", IF(").append(name).append(" IS NULL, '-', HEX(CONCAT(");
      key.append(isFloat(parameter.type()) ? "CAST(" + name + " AS DOUBLE)" : name).append(")))");
    }
    return "CREATE FUNCTION "
        + one.name
        + " ("
        + parameters
        + ") RETURNS "
        + variables.getLast().type()
        + " MODIFIES SQL DATA SQL SECURITY INVOKER BEGIN DECLARE __alrai_hash CHAR(64) CHARACTER SET ascii"
        + " DEFAULT SHA2(CONCAT_WS(',', "
        + key
        + "), 256); DECLARE __alrai_result "
        + variables.getLast().type()
        + "; DECLARE __alrai_found BOOLEAN;"
        + " DECLARE CONTINUE HANDLER FOR NOT FOUND SET __alrai_found = NULL;"
        + " SELECT __alrai_value, __alrai_failed INTO __alrai_result, __alrai_found FROM "
        + one.values
        + " WHERE __alrai_key = __alrai_hash; IF __alrai_found IS NULL OR __alrai_found THEN"
        + " INSERT INTO "
        + one.asked
        + " SELECT __alrai_hash, __alrai_found IS TRUE"
        + names
        + " ON DUPLICATE KEY UPDATE __alrai_key = __alrai_hash; END IF; RETURN __alrai_result; END";
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
      update("DELETE FROM " + one.asked);
    }
    return any;
  }

  private boolean someEvaluated(Made one) {
    String query = "SELECT * FROM " + one.asked + " WHERE NOT __alrai_failed LIMIT " + BATCH;
    List<ColumnDefinition> columns;
    List<byte[]> rows = new ArrayList<>();
    try (ShardCall call = side.start("", SessionText.encoded(run.session(), query))) {
      columns = call.columns();
      for (byte[] row = call.nextRow(); row != null; row = call.nextRow()) {
        rows.add(row);
      }
      call.status();
    }
    if (rows.isEmpty()) {
      return false;
    }
    StringBuilder values = new StringBuilder();
    StringBuilder keys = new StringBuilder();
    for (byte[] row : rows) {
      String key = new String(row, 1, KEY_LENGTH, StandardCharsets.US_ASCII);
      values.append(values.isEmpty() ? "('" : ", ('").append(key).append("', ");
      values.append(value(one, columns, row, key)).append(')');
      keys.append(keys.isEmpty() ? "'" : ", '").append(key).append('\'');
    }
    update("INSERT INTO " + one.values + " VALUES " + values);
    update("DELETE FROM " + one.asked + " WHERE __alrai_key IN (" + keys + ")");
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
      String query = "SELECT __alrai_key FROM " + one.asked + " LIMIT 1";
      try (ShardCall call = side.start("", SessionText.encoded(run.session(), query))) {
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
