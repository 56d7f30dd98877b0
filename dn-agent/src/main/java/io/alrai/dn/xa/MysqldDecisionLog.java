package io.alrai.dn.xa;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * The own log of a mysqld that is alone, and a file for what is settled.
 *
 * @param log reads it
 * @param mark the file
 */
record MysqldDecisionLog(LogReader.Source log, SettledMark mark) implements DecisionLog {
  @Override
  public LogReader open(GtidSet from, long boundBytes) {
    return log.open(from, boundBytes);
  }

  @Override
  public GtidSet settled() throws IOException {
    return mark.read();
  }

  @Override
  public CompletableFuture<Void> settle(GtidSet settled) {
    return mark.write(settled);
  }

  @Override
  public boolean ofMysqld() {
    return true;
  }
}
