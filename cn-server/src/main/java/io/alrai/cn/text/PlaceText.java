package io.alrai.cn.text;

import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.ShapedStatement;
import java.io.ByteArrayOutputStream;

/** The text of a run's statement for one place. */
public final class PlaceText {
  private PlaceText() {}

  /** A template's text. */
  public static byte[] render(StatementRun run, SqlTemplate template, String physicalSchema) {
    return TemplateText.render(
        template, run.values(), physicalSchema, run.session(), 256 + slotBytes(run, template));
  }

  private static int slotBytes(StatementRun run, SqlTemplate template) {
    ShapedStatement statement = run.statement();
    int bytes = 0;
    for (SqlTemplate.Piece piece : template.pieces()) {
      if (piece instanceof SqlTemplate.Piece.Slot slot && slot.index() < statement.slotCount()) {
        bytes += statement.slotEnd(slot.index()) - statement.slotStart(slot.index());
      }
    }
    return bytes;
  }

  /** The pinned form, with the values of parameters in it. */
  public static byte[] pinned(StatementRun run, StatementText text, String physicalSchema) {
    return switch (text) {
      case StatementText.Rewritten rewritten -> render(run, rewritten.sql(), physicalSchema);
      case StatementText.Verbatim same -> verbatim(run);
    };
  }

  /** The client's text, with the values of parameters in it. */
  public static byte[] verbatim(StatementRun run) {
    ShapedStatement statement = run.statement();
    byte[] sql = run.sql();
    ByteArrayOutputStream out = new ByteArrayOutputStream(sql.length + 64);
    int copied = 0;
    for (int slot = 0; slot < statement.slotCount(); slot++) {
      if (statement.isParameter(slot)) {
        out.write(sql, copied, statement.slotStart(slot) - copied);
        run.values().appendSql(slot, out);
        copied = statement.slotEnd(slot);
      }
    }
    if (copied == 0) {
      return sql;
    }
    out.write(sql, copied, sql.length - copied);
    return out.toByteArray();
  }
}
