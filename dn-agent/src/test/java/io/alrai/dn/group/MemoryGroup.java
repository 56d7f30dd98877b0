package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What a group has committed, in memory; its pieces end anywhere. */
public final class MemoryGroup implements GroupSource {
  private static final int LONGEST_PIECE = 1 << 20;

  private final List<BinlogTransaction> log = new ArrayList<>();
  private final Random random;

  /**
   * An empty one.
   *
   * @param seed of the lengths of pieces
   */
  public MemoryGroup(long seed) {
    random = new Random(seed);
  }

  /** Committed after all others. */
  public synchronized void commit(List<BinlogTransaction> transactions) {
    log.addAll(transactions);
    notifyAll();
  }

  @Override
  public Look look(GtidSet known) {
    throw new UnsupportedOperationException("mysqlds know no stamps");
  }

  /** The names of all. */
  public synchronized GtidSet all() {
    GtidSet all = new GtidSet();
    log.forEach(transaction -> all.add(transaction.gtid()));
    return all;
  }

  private synchronized Shipped await(Reader reader, long millis) throws InterruptedException {
    for (int round = 0; round < 2; round++) {
      while (reader.next < log.size()) {
        BinlogTransaction transaction = log.get(reader.next++);
        if (!reader.known.contains(transaction.gtid())) {
          return new Kept(reader.next, transaction);
        }
      }
      if (round == 0 && millis > 0) {
        wait(millis);
      }
    }
    return null;
  }

  private synchronized int length(int left) {
    return 1 + random.nextInt(Math.min(left, random.nextInt(4) > 0 ? 100 : LONGEST_PIECE));
  }

  @Override
  public GroupReader open(GtidSet known) {
    return new Reader(known.copy());
  }

  private final class Reader implements GroupReader {
    private final GtidSet known;
    private int next;

    Reader(GtidSet known) {
      this.known = known;
    }

    @Override
    public Shipped poll(long millis) throws InterruptedException {
      return await(this, millis);
    }

    @Override
    public long passed() {
      return next - 1;
    }

    @Override
    public void close() {}
  }

  private final class Kept implements Shipped {
    private final long index;
    private final BinlogTransaction transaction;

    Kept(long index, BinlogTransaction transaction) {
      this.index = index;
      this.transaction = transaction;
    }

    @Override
    public long index() {
      return index;
    }

    @Override
    public Gtid gtid() {
      return transaction.gtid();
    }

    @Override
    public TransactionKind kind() {
      return transaction.kind();
    }

    @Override
    public HlcTimestamp stamp() {
      return HlcTimestamp.ZERO;
    }

    @Override
    public long length() {
      return transaction.length();
    }

    @Override
    public void forEachPiece(Consumer<ByteBuffer> piece) {
      ByteBuffer all = transaction.events().orElseThrow().view().nioBuffer();
      while (all.hasRemaining()) {
        int length = MemoryGroup.this.length(all.remaining());
        piece.accept(all.slice(all.position(), length));
        all.position(all.position() + length);
      }
    }

    @Override
    public BinlogTransaction transaction() {
      return transaction;
    }
  }
}
