package io.alrai.cn.write;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.WriteOutcome;
import io.alrai.common.wire.OkPacket;
import java.util.ArrayList;
import java.util.List;

/** The outcomes of an INSERT's parts as one. One thread. */
final class InsertOutcome {
  private final boolean ignores;
  private long affectedRows;
  private long records;
  private long duplicates;
  private long lastId;
  private int warnings;
  private final List<Condition> evaluated = new ArrayList<>();

  /**
   * Begins without parts.
   *
   * @param ignores whether rows may be left out as duplicates
   */
  InsertOutcome(boolean ignores) {
    this.ignores = ignores;
  }

  /** Adds a part of some rows. */
  void add(OkPacket ok, long rows) {
    affectedRows += ok.affectedRows();
    records += rows;
    warnings += ok.warnings();
    lastId = ok.lastInsertId();
    long told = WriteOutcome.duplicates(ok.info());
    duplicates += told >= 0 ? told : ofOneRow(ok.affectedRows());
  }

  /** One row: 2 says that it replaced or updated another, 0 that it was ignored. */
  private long ofOneRow(long affected) {
    if (affected == 0) {
      return ignores ? 1 : 0;
    }
    return affected - 1;
  }

  /** Adds warnings that came before the parts. */
  void warned(int count) {
    warnings += count;
  }

  /** Adds the rows of a statement that answered with its own numbers. */
  void addTold(OkPacket ok, long toldRecords) {
    add(ok, toldRecords);
  }

  long affectedRows() {
    return affectedRows;
  }

  /** Adds the warnings of cells that were evaluated before the parts. */
  void evaluated(List<Condition> told) {
    warned(told.size());
    evaluated.addAll(told);
  }

  /** Those of all evaluated cells. */
  List<Condition> evaluated() {
    return evaluated;
  }

  /** Whether every row existed already. */
  boolean onlyDuplicates() {
    return duplicates == records;
  }

  long duplicates() {
    return duplicates;
  }

  int warnings() {
    return warnings;
  }

  /** What the last part said about its AUTO_INCREMENT column. */
  long lastId() {
    return lastId;
  }

  /**
   * The answer to the client.
   *
   * @param several whether the statement had more than one row or a SELECT
   */
  OkPacket ok(long lastInsertId, int status, boolean several) {
    String info =
        several
            ? "Records: " + records + "  Duplicates: " + duplicates + "  Warnings: " + warnings
            : "";
    return new OkPacket(affectedRows, lastInsertId, status, Math.min(warnings, 0xffff), info);
  }
}
