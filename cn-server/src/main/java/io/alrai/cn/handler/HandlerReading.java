package io.alrai.cn.handler;

import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.routine.KeptResult;
import io.alrai.cn.routine.LocalValue;
import io.alrai.cn.routine.SessionPath;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.HandlerStatement.Form;
import io.alrai.optimizer.api.HandlerStatement.KeyValue;
import io.alrai.optimizer.api.HandlerStatement.Read;
import io.alrai.optimizer.api.HandlerStatement.Step;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One READ. */
final class HandlerReading {
  private static final String NOTHING = "FALSE";

  private final SessionPath path;
  private final StatementRun run;
  private final OpenHandler handler;

  HandlerReading(SessionPath path, StatementRun run, OpenHandler handler) {
    this.path = path;
    this.run = run;
    this.handler = handler;
  }

  private LexicalMode mode() {
    return run.session().variables().lexicalMode();
  }

  void read(Read read) {
    TableKey key = key(read);
    List<String> values = values(key, read.values());
    // rows that are passed over are read, too
    boolean shown = read.count() > 0;
    long offset = shown ? read.offset() : Math.max(read.offset() - 1, 0);
    long count = shown ? read.count() : Math.min(read.offset(), 1);
    String range = key.sorted() ? range(key, read.step(), values) : NOTHING;
    ReadRows rows = new ReadRows(run, key.order().size(), shown);
    select(select(key, read, range, offset, count), rows);
    if (rows.rows() == count) {
      if (count > 0) {
        handler.moved(key, at(key, rows));
      }
    } else if (read.step() == Step.EQUAL) {
      handler.moved(key, new Position.BehindKey(values));
    } else {
      boolean forward = read.step().forward();
      handler.moved(key, forward ? Position.Outside.END : Position.Outside.BEGINNING);
    }
  }

  private TableKey key(Read read) {
    TableKeys keys =
        handler
            .keys(path.catalog(), path.queries())
            .orElseThrow(() -> OpenTargets.missing(handler.schema(), handler.table()));
    OpenTargets.require(keys);
    if (read.index().isEmpty()) {
      return keys.natural();
    }
    TableKey key = keys.named().get(read.index().get().toLowerCase(Locale.ROOT));
    if (key == null) {
      throw new AlraiException(
          ErrorCode.ER_KEY_DOES_NOT_EXITS,
          "Key '" + read.index().get() + "' doesn't exist in table '" + read.handler() + "'");
    }
    if (read.values().size() > key.parts().size()) {
      throw new AlraiException(
          ErrorCode.ER_TOO_MANY_KEY_PARTS,
          "Too many key parts specified; max " + key.parts().size() + " parts allowed");
    }
    return key;
  }

  private Position at(TableKey key, ReadRows rows) {
    List<LocalValue> place = rows.place();
    List<String> literals = new ArrayList<>();
    for (int i = 0; i < place.size(); i++) {
      literals.add(key.order().get(i).literal(place.get(i), mode()));
    }
    return new Position.AtRow(literals);
  }

  private String select(TableKey key, Read read, String range, long offset, long count) {
    List<String> conditions = new ArrayList<>();
    if (!range.isEmpty()) {
      conditions.add("(" + range + ")");
    }
    if (!read.where().isEmpty()) {
      conditions.add("(" + read.where() + "\n)");
    }
    String places = key.order().stream().map(KeyPart::read).collect(Collectors.joining(", "));
    return "SELECT *, "
        + places
        + " FROM "
        + handler.from(read.handler())
        + key.hint()
        + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
        + " ORDER BY "
        + key.orderBy(read.step().forward())
        + " LIMIT "
        + offset
        + ", "
        + count;
  }

  /** The condition of the rows that may be read; empty for all. */
  private String range(TableKey key, Step step, List<String> values) {
    Position position = handler.position(key);
    return switch (step) {
      case FIRST, LAST -> "";
      case NEXT ->
          switch (position) {
            case Position.Outside.END -> NOTHING;
            case Position.Outside _ -> "";
            case Position.AtRow row -> key.behind(row.values(), true, false);
            case Position.BehindKey behind -> key.behind(behind.values(), true, false);
          };
      case PREV ->
          switch (position) {
            case Position.Outside.BEGINNING -> NOTHING;
            case Position.Outside _ -> "";
            case Position.AtRow row -> key.behind(row.values(), false, false);
            case Position.BehindKey behind -> key.behind(behind.values(), false, true);
          };
      case EQUAL -> key.equal(values);
      case FROM -> key.behind(values, true, true);
      case BEHIND -> key.behind(values, true, false);
      case DOWN_FROM -> key.behind(values, false, true);
      case BEFORE -> key.behind(values, false, false);
    };
  }

  private List<String> values(TableKey key, List<KeyValue> given) {
    if (given.stream().anyMatch(value -> value.form() == Form.VARIABLE)) {
      throw notConstant();
    }
    List<String> values = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      values.add(key.parts().get(i).value(given.get(i), this::evaluated));
    }
    return values;
  }

  private static AlraiException notConstant() {
    return new AlraiException(
        ErrorCode.ER_WRONG_ARGUMENTS, "Incorrect arguments to HANDLER ... READ");
  }

  private String evaluated(String expression) {
    KeptResult result = new KeptResult(run.writer().output(), 1);
    try {
      run.shards()
          .copying(() -> {
            run("SELECT " + expression, result);
            return result;
          });
    } catch (AlraiException e) {
      throw e.is(ErrorCode.ER_BAD_FIELD_ERROR) ? notConstant() : e;
    }
    return result.values(0).getFirst().sql(mode());
  }

  private void select(String sql, ResultWriter writer) {
    try {
      run(sql, writer);
    } catch (AlraiException e) {
      if (e.is(ErrorCode.ER_BAD_FIELD_ERROR)) {
        String sentence = e.sentence().replace("'where clause'", "'field list'");
        throw new AlraiException(ErrorCode.ER_BAD_FIELD_ERROR, sentence);
      }
      if (e.is(ErrorCode.ER_SP_DOES_NOT_EXIST)) {
        throw new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_YET,
            "This version of MySQL doesn't yet support 'stored functions in HANDLER ... READ'");
      }
      throw e;
    }
  }

  /** Runs a SELECT as one of the session's own statements. */
  private void run(String sql, ResultWriter writer) {
    ShapedText text = ShapedText.of(sql, mode());
    PlannedStatement planned = path.plan(text, ParameterSource.NONE);
    path.run(run.with(text, text.textBytes()).with(writer), planned.planned().work());
  }
}
