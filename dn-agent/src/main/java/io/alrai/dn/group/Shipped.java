package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.TransactionKind;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A committed transaction with its events. Immutable. */
public interface Shipped {
  /** Where the entry is that has it; its last one where it is in pieces. */
  long index();

  /** Its name. */
  Gtid gtid();

  /** What it is. */
  TransactionKind kind();

  /**
   * Its place in time, as far as that was known when it was read; ZERO for what changes no visible
   * row, and where the log has not said it yet.
   */
  HlcTimestamp stamp();

  /** Bytes of all its events. */
  long length();

  /**
   * Hands out the bytes of its events in order, in pieces of at most 1 MiB that end anywhere; read
   * from the log while this goes on.
   *
   * @throws io.alrai.dn.binlog.BinlogException when it is not in the log any more
   */
  void forEachPiece(Consumer<ByteBuffer> piece);

  /** As the leader received it; without its events where they are too long to be held. */
  BinlogTransaction transaction();
}
