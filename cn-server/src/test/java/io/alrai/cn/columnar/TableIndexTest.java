package io.alrai.cn.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.ColumnIndexDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The column index of a table, and the thread that builds it. */
class TableIndexTest {
  private static final ColumnIndexDefinition DEFINITION =
      new ColumnIndexDefinition("ci", List.of("a"), 1);
  private final TableIndex index =
      new TableIndex(PlainTables.table(DEFINITION), DEFINITION, List.of());

  private AlraiException reason() {
    return index.reason(assertInstanceOf(PartitionState.Failed.class, index.figures().state()));
  }

  /** The keeper closes what has failed, which interrupts the build: that is no reason. */
  @Test
  void itsFirstFailureIsTheReason() {
    AlraiException first = new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the log changes");
    index.fail(first);
    index.fail(AlraiException.interruption());
    assertEquals(first, reason());
    assertFalse(index.isGivenUp());
  }

  @Test
  void whatNoIndexHoldsIsGivenUp() {
    assertTrue(index.isBuilding());
    index.fail(new AlraiException(ErrorCode.ER_NOT_SUPPORTED_YET, "a value"));
    assertFalse(index.isBuilding());
    assertTrue(index.isGivenUp());
  }

  @Test
  void itsEndInterruptsItsBuild() {
    assertTrue(index.buildBegins());
    index.close();
    assertTrue(Thread.interrupted());
    index.buildEnds();
  }

  @Test
  void nobodyElseIsInterrupted() {
    assertTrue(index.buildBegins());
    index.buildEnds();
    index.close();
    assertFalse(Thread.interrupted());
    assertFalse(index.buildBegins());
    index.close();
    assertFalse(Thread.interrupted());
  }
}
