package io.alrai.cn.shard;

import io.alrai.cn.result.BinaryRows;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One statement at work on a branch, read by a virtual thread while it arrives. The event loop puts
 * packets into a bounded queue and stops reading from the mysqld while it is full. A reply with
 * several results (several statements in one text) is read result by result.
 */
public final class ShardCall implements ReplySink, AutoCloseable {
  private static final int HIGH_WATER_BYTES = 256 << 10;
  private static final int LOW_WATER_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 64 << 10;

  /** So much is read to the end rather than killed. */
  private static final int DRAIN_BYTES = 1 << 20;

  private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private sealed interface Item {
    record Columns(List<ColumnDefinition> columns) implements Item {}

    @SuppressWarnings("ArrayRecordComponent")
    record Row(byte[] payload) implements Item {}

    record End(OkPacket status) implements Item {}

    record Failure(AlraiException error) implements Item {}
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Item> items = new ArrayDeque<>();
  private final Runnable onComplete;
  private final Runnable onAnswer;
  private final BooleanSupplier binaryRows;
  private List<ColumnDefinition> columns = new ArrayList<>();
  private List<Item> chunk = new ArrayList<>();
  private int chunkBytes;
  private byte @Nullable [] partialRow;
  private int queuedBytes;
  private boolean complete;
  private boolean failed;
  private boolean answered;
  private boolean discarding;
  private @Nullable Branch branch;
  private @Nullable Runnable killer;
  private UnaryOperator<AlraiException> words = UnaryOperator.identity();
  private long discardedBytes;
  private @Nullable Runnable onDropped;
  private boolean paused;

  /**
   * A call that is about to be sent.
   *
   * @param onComplete runs on the event loop when the reply is complete or lost
   */
  public ShardCall(Runnable onComplete) {
    this(onComplete, () -> {}, () -> false);
  }

  /**
   * The same for one whose reader comes when it is answered.
   *
   * @param onAnswer runs once on the event loop: behind {@code onComplete}, or as soon as so much
   *     of the reply is there that its reader should take it while it arrives
   * @param binaryRows asked on the event loop whether rows come in the form of STMT_EXECUTE; they
   *     are given as text all the same
   */
  ShardCall(Runnable onComplete, Runnable onAnswer, BooleanSupplier binaryRows) {
    this.onComplete = onComplete;
    this.onAnswer = onAnswer;
    this.binaryRows = binaryRows;
  }

  /** Says which branch runs it, for back-pressure; on the event loop, before it is sent. */
  public void runsOn(Branch runner) {
    lock.lock();
    try {
      branch = runner;
    } finally {
      lock.unlock();
    }
  }

  /** Says how its statement is ended early, when most of its rows are not wanted. Event loop. */
  public void endsBy(Runnable ending) {
    lock.lock();
    try {
      killer = ending;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nobody wants what is still to come of it. Any thread. */
  boolean discarded() {
    lock.lock();
    try {
      return discarding;
    } finally {
      lock.unlock();
    }
  }

  /** Says how the shard's errors are told. Event loop, before it is sent. */
  public void failsAs(UnaryOperator<AlraiException> telling) {
    words = telling;
  }

  /** The call could not be sent. */
  public void refuse(AlraiException reason) {
    failed(reason);
  }

  // ---- event loop side

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    int payload = header + Packets.HEADER;
    int size = length - Packets.HEADER;
    switch (kind) {
      case COLUMN_COUNT -> columns = new ArrayList<>();
      case COLUMN -> columns.add(ColumnDefinition.parse(buf, payload));
      case LAST_COLUMN -> {
        columns.add(ColumnDefinition.parse(buf, payload));
        chunk.add(new Item.Columns(List.copyOf(columns)));
      }
      case ROW -> row(buf, payload, size);
      case OK, RESULT_END -> chunk.add(new Item.End(OkPacket.parse(buf, payload, size)));
      case ERR -> {
        failed = true;
        AlraiException error = ErrPacket.parse(buf, payload, size).toException();
        chunk.add(new Item.Failure(words.apply(error)));
      }
      case LOCAL_INFILE, PREPARE_OK, PARAMETER, TEXT ->
          chunk.add(
              new Item.Failure(
                  new AlraiException(ErrorCode.ALRAI_INTERNAL, "unexpected reply of a shard")));
    }
  }

  private void row(ByteBuf buf, int payload, int size) {
    byte[] before = partialRow;
    int start = before == null ? 0 : before.length;
    byte[] bytes = new byte[start + size];
    if (before != null) {
      System.arraycopy(before, 0, bytes, 0, start);
    }
    buf.getBytes(payload, bytes, start, size);
    if (size == Packets.MAX_PAYLOAD) {
      partialRow = bytes;
      return;
    }
    partialRow = null;
    byte[] text = binaryRows.getAsBoolean() ? BinaryRows.decode(columns, bytes) : bytes;
    chunk.add(new Item.Row(text));
    chunkBytes += text.length;
  }

  @Override
  public void chunkEnd() {
    boolean large;
    lock.lock();
    try {
      if (!discarding) {
        items.addAll(chunk);
        queuedBytes += chunkBytes;
      } else {
        chunk.stream().filter(Item.End.class::isInstance).forEach(items::add);
        discardedBytes += chunkBytes;
      }
      chunk = new ArrayList<>();
      chunkBytes = 0;
      if (queuedBytes > HIGH_WATER_BYTES && !paused && branch != null) {
        paused = true;
        branch.reading(false);
      }
      large = queuedBytes > LARGE_BYTES;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    if (large) {
      answer();
    }
  }

  private void answer() {
    if (!answered) {
      answered = true;
      onAnswer.run();
    }
  }

  @Override
  public void end(int status) {
    finish();
  }

  @Override
  public void failed(AlraiException reason) {
    failed = true;
    chunk.add(new Item.Failure(reason));
    chunkEnd();
    finish();
  }

  private void finish() {
    lock.lock();
    try {
      complete = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    onComplete.run();
    Runnable dropping = onDropped;
    if (dropping == null) {
      answer();
    } else {
      dropping.run();
    }
  }

  /**
   * Throws the reply away, as its statement will be sent anew: nobody reads it. Event loop.
   *
   * @param ending ends the statement on its mysqld, where it takes long
   * @param dropped runs when the reply is complete
   */
  void drop(EventLoop loop, Runnable ending, Runnable dropped) {
    answered = true;
    lock.lock();
    try {
      discarding = true;
      items.clear();
      queuedBytes = 0;
      resumeIfLow();
    } finally {
      lock.unlock();
    }
    if (complete) {
      dropped.run();
      return;
    }
    onDropped = dropped;
    loop.schedule(
        () -> {
          if (!complete) {
            ending.run();
          }
        },
        DRAIN_NANOS,
        TimeUnit.NANOSECONDS);
  }

  /** Whether all of the reply is there, without an error: reading it never waits. Event loop. */
  public boolean succeeded() {
    return complete && !failed;
  }

  // ---- virtual thread side

  /**
   * The columns of the next result, or none when it is an OK; {@link #status} follows then.
   *
   * @throws AlraiException the statement's error
   */
  public List<ColumnDefinition> columns() {
    Item next = peek();
    if (next instanceof Item.Columns found) {
      take();
      return found.columns;
    }
    if (next instanceof Item.Failure failure) {
      take();
      throw failure.error;
    }
    return List.of();
  }

  /**
   * The payload of the next row, or null behind the last one.
   *
   * @throws AlraiException the error that cut the result off
   */
  public byte @Nullable [] nextRow() {
    lock.lock();
    try {
      return switch (await()) {
        case Item.Row row -> {
          items.poll();
          taken(row);
          yield row.payload;
        }
        case Item.Failure failure -> {
          items.poll();
          throw failure.error;
        }
        case Item.End end -> null;
        case Item.Columns more -> null;
      };
    } finally {
      lock.unlock();
    }
  }

  /**
   * The status that ends the current result; rows not read are skipped.
   *
   * @throws AlraiException the statement's error
   */
  public OkPacket status() {
    while (true) {
      switch (take()) {
        case Item.End end -> {
          return end.status;
        }
        case Item.Failure failure -> throw failure.error;
        case Item.Row row -> {}
        case Item.Columns skipped -> {}
      }
    }
  }

  /** Runs a statement that gives no rows; the same as {@link #status}. */
  public OkPacket update() {
    return status();
  }

  private Item peek() {
    lock.lock();
    try {
      return await();
    } finally {
      lock.unlock();
    }
  }

  private Item take() {
    lock.lock();
    try {
      Item item = await();
      items.poll();
      if (item instanceof Item.Row row) {
        taken(row);
      }
      return item;
    } finally {
      lock.unlock();
    }
  }

  private void taken(Item.Row row) {
    queuedBytes -= row.payload.length;
    resumeIfLow();
  }

  private Item await() {
    while (true) {
      Item item = items.peek();
      if (item != null) {
        return item;
      }
      if (complete) {
        throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "read behind the end of a reply");
      }
      try {
        arrived.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
  }

  private void resumeIfLow() {
    Branch runner = branch;
    if (paused && queuedBytes < LOW_WATER_BYTES && runner != null) {
      paused = false;
      runner.eventLoop().execute(() -> runner.reading(true));
    }
  }

  /**
   * Throws the rest of the reply away; the branch is then free. When much is left, the statement is
   * ended on its mysqld.
   */
  @Override
  public void close() {
    long patience = System.nanoTime() + DRAIN_NANOS;
    lock.lock();
    try {
      discarding = true;
      items.clear();
      queuedBytes = 0;
      resumeIfLow();
      while (!complete) {
        Runnable ending = killer;
        if (ending == null) {
          arrived.awaitUninterruptibly();
        } else if (discardedBytes > DRAIN_BYTES || System.nanoTime() - patience >= 0) {
          killer = null;
          ending.run();
        } else {
          awaitUntil(patience);
        }
        items.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  /** An interrupt ends it as well, for good: whoever interrupts has no patience. */
  private void awaitUntil(long nanos) {
    try {
      arrived.awaitNanos(nanos - System.nanoTime());
    } catch (InterruptedException e) {
      Runnable ending = killer;
      killer = null;
      if (ending != null) {
        ending.run();
      }
      Thread.currentThread().interrupt();
    }
  }
}
