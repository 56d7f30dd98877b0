package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Random;
import java.util.StringJoiner;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Cuts texts of clients into shape and slots. */
@State(Scope.Thread)
public class ShapeBench {
  private static final int TEXTS = 256;
  private static final int ROWS = 10;

  private final ShapeScanner scanner = new ShapeScanner();
  private final Turns<byte[]> pointSelects =
      Turns.of(TEXTS, random -> pointSelect(random).getBytes(UTF_8));
  private final Turns<byte[]> inserts = Turns.of(TEXTS, random -> insert(random).getBytes(UTF_8));
  private final Turns<byte[]> newOrders =
      Turns.of(TEXTS, random -> newOrder(random).getBytes(UTF_8));

  private static String pointSelect(Random random) {
    return "SELECT c FROM sbtest1 WHERE id=" + SbtestRow.id(random);
  }

  private static String insert(Random random) {
    StringJoiner rows = new StringJoiner(", ", "INSERT INTO sbtest1 (id, k, c, pad) VALUES ", "");
    for (int row = 0; row < ROWS; row++) {
      rows.add(
          "(%d, %d, '%s', '%s')"
              .formatted(
                  SbtestRow.id(random),
                  SbtestRow.id(random),
                  SbtestRow.c(random),
                  SbtestRow.pad(random)));
    }
    return rows.toString();
  }

  /** The first SELECT of TPC-C's new order. */
  private static String newOrder(Random random) {
    int warehouse = 1 + random.nextInt(100);
    return ("SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse"
            + " WHERE w_id = %d AND c_w_id = %d AND c_d_id = %d AND c_id = %d")
        .formatted(warehouse, warehouse, 1 + random.nextInt(10), 1 + random.nextInt(3_000));
  }

  private long scan(byte[] text) {
    scanner.scan(text, 0, text.length, LexicalMode.DEFAULT);
    return scanner.shapeHash();
  }

  /** sysbench's SELECT of a row by its key. */
  @Benchmark
  public long pointSelect() {
    return scan(pointSelects.next());
  }

  /** An INSERT of ten rows, 2,100 bytes. */
  @Benchmark
  public long insertTenRows() {
    return scan(inserts.next());
  }

  /** A SELECT of four columns by four conditions. */
  @Benchmark
  public long newOrder() {
    return scan(newOrders.next());
  }
}
