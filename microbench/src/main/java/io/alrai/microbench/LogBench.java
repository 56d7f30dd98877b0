package io.alrai.microbench;

import io.alrai.common.changelog.TableChanges;
import io.alrai.common.type.Collations;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.TransactionRows;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From a mysqld's binary log to rows: what a column index is fed with. */
@State(Scope.Thread)
public class LogBench {
  private static final Collations COLLATIONS =
      new Collations(
          List.of(new Collations.Collation(255, "utf8mb4_0900_ai_ci", "utf8mb4", true, false)));

  private final RecordedStream stream = new RecordedStream();
  private final TransactionRows rows = new TransactionRows(COLLATIONS, RecordedStream::isOfClients);
  private final Turns<List<byte[]>> transactions = new Turns<>(stream.transactionsWithRows());

  /**
   * A transaction of a few events is read out of packets, put together and decoded. Includes one
   * copy of it, which stands for the read from the mysqld's socket.
   */
  @Benchmark
  public List<TableChanges> transaction() {
    BinlogTransaction transaction = stream.read(transactions.next());
    return rows.decode(transaction);
  }
}
