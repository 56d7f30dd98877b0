package io.alrai.cn.branch;

import io.alrai.cn.branch.CallState.Arrival;
import io.alrai.cn.branch.CallState.Wish;
import io.alrai.cn.branch.ReplyItems.Item;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One statement at work on a branch, read by a virtual thread while it arrives. The event loop puts
 * packets into a bounded queue and stops reading from the mysqld while it is full. A reply with
 * several results (several statements in one text) is read result by result.
 */
public final class ShardCall implements ReplySink, AutoCloseable {
  private static final int HIGH_WATER_BYTES = 256 << 10;
  private static final int LOW_WATER_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 64 << 10;

  /** Up to how many bytes a reply is read to its end rather than killed. */
  private static final int DRAIN_BYTES = 1 << 20;

  private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** After it was ended; then its connection is closed, and then it is left alone. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Logger log = LoggerFactory.getLogger(ShardCall.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Item> items = new ArrayDeque<>();
  private final Runnable onComplete;
  private final ReplyItems incoming;
  private final CallState state = new CallState();
  private int queuedBytes;
  private long patienceNanos = END_NANOS;
  private long silenceNanos;
  private Predicate<AlraiException> again = reason -> false;

  /** Null once it has run, or is not wanted any more. */
  private @Nullable Runnable onAnswer;

  private @Nullable Branch branch;
  private @Nullable Runnable killer;
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
   * A call whose reader comes when it is answered.
   *
   * @param onAnswer runs once on the event loop: after {@code onComplete}, or as soon as there is
   *     so much of the reply that its reader should take it while it arrives
   * @param binaryRows asked on the event loop whether rows come in the form of STMT_EXECUTE; they
   *     are given as text all the same
   */
  public ShardCall(Runnable onComplete, Runnable onAnswer, BooleanSupplier binaryRows) {
    this.onComplete = onComplete;
    this.onAnswer = onAnswer;
    this.incoming = new ReplyItems(binaryRows);
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

  /** The number of the connection that runs it at its mysqld; 0 where none does yet. Any thread. */
  public long connectionId() {
    lock.lock();
    try {
      return branch == null ? 0 : branch.serverConnectionId();
    } finally {
      lock.unlock();
    }
  }

  /** Says how its statement is ended early, when most of its rows are not wanted. Event loop. */
  public void endsBy(Runnable ending) {
    endsBy(ending, DRAIN_NANOS);
  }

  /**
   * Sets what ends it early, and when.
   *
   * @param patience nanoseconds for which it may go on by itself when nobody wants it any more
   */
  public void endsBy(Runnable ending, long patience) {
    lock.lock();
    try {
      killer = ending;
      patienceNanos = patience;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Its reader fails where it waits so long: for what gives rows all the time. Before it is read.
   */
  public void speaksWithin(Duration silence) {
    silenceNanos = silence.toNanos();
  }

  /**
   * Says who sends the statement anew where its connection is lost before anything came of it.
   * Event loop, before it is sent.
   *
   * @param sending asked with the loss; says whether it does
   */
  public void sentAgainBy(Predicate<AlraiException> sending) {
    again = sending;
  }

  /** Whether its reader has left for good: it must not be sent any more. Any thread. */
  public boolean abandoned() {
    lock.lock();
    try {
      return state.wish() == Wish.ABANDONED;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nobody wants what is still to come of it. Any thread. */
  public boolean discarded() {
    lock.lock();
    try {
      return state.wish() != Wish.WANTED;
    } finally {
      lock.unlock();
    }
  }

  /** Sets how the shard's errors are reported. Event loop, before it is sent. */
  public void failsAs(UnaryOperator<AlraiException> telling) {
    incoming.failsAs(telling);
  }

  /** The call could not be sent. */
  public void refuse(AlraiException reason) {
    failed(reason);
  }

  // ---- event loop side

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind == PacketKind.ERR) {
      state.advance(Arrival.IN_ERROR, "an error");
    } else if (state.arrival() == Arrival.AWAITED) {
      state.advance(Arrival.ARRIVING, "its first packet");
    }
    incoming.packet(kind, buf, header + Packets.HEADER, length - Packets.HEADER);
  }

  @Override
  public void chunkEnd() {
    boolean large;
    lock.lock();
    try {
      if (state.wish() != Wish.WANTED) {
        discardedBytes += incoming.moveEnds(items);
      } else {
        queuedBytes += incoming.moveAll(items);
      }
      if (queuedBytes > HIGH_WATER_BYTES && !paused && branch != null) {
        // where the reply ends here, the branch goes on reading by itself
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
    Runnable reader = onAnswer;
    onAnswer = null;
    if (reader != null) {
      reader.run();
    }
  }

  @Override
  public void end(int status) {
    boolean error = state.arrival() == Arrival.IN_ERROR;
    finish(error ? Arrival.FAILED : Arrival.SUCCEEDED, "its end");
  }

  @Override
  public void failed(AlraiException reason) {
    if (state.arrival() == Arrival.AWAITED && again.test(reason)) {
      return;
    }
    incoming.add(new Item.Failure(reason));
    chunkEnd();
    finish(Arrival.FAILED, "lost");
  }

  private void finish(Arrival how, String reason) {
    lock.lock();
    try {
      state.advance(how, reason);
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
  public void drop(EventLoop loop, Runnable ending, Runnable dropped) {
    onAnswer = null;
    lock.lock();
    try {
      discard();
    } finally {
      lock.unlock();
    }
    if (state.over()) {
      dropped.run();
      return;
    }
    onDropped = dropped;
    loop.schedule(() -> unlessOver(ending), DRAIN_NANOS, TimeUnit.NANOSECONDS);
  }

  /** Once the reply is complete, the branch and its back-pressure are somebody else's. */
  private void unlessOver(Runnable action) {
    if (!state.over()) {
      action.run();
    }
  }

  /** Whether all of the reply is there, without an error: reading it never waits. Event loop. */
  public boolean succeeded() {
    return state.arrival() == Arrival.SUCCEEDED;
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
      return found.columns();
    }
    if (next instanceof Item.Failure failure) {
      take();
      throw failure.error();
    }
    return List.of();
  }

  /**
   * The payload of the next row, or null after the last one.
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
          yield row.payload();
        }
        case Item.Failure failure -> {
          items.poll();
          throw failure.error();
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
          return end.status();
        }
        case Item.Failure failure -> throw failure.error();
        case Item.Row row -> {}
        case Item.Columns skipped -> {}
      }
    }
  }

  /** Runs a statement that gives no rows; as {@link #status}. */
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
    queuedBytes -= row.payload().length;
    resumeIfLow();
  }

  private Item await() {
    while (true) {
      Item item = items.peek();
      if (item != null) {
        return item;
      }
      if (state.over()) {
        throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "read behind the end of a reply");
      }
      try {
        if (silenceNanos == 0) {
          arrived.await();
        } else if (arrived.awaitNanos(silenceNanos) <= 0 && items.isEmpty() && !state.over()) {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the mysqld"
                  + (branch == null ? "" : " of " + branch.dn())
                  + " has sent nothing for "
                  + Duration.ofNanos(silenceNanos).toSeconds()
                  + " s");
        }
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
      runner.eventLoop().execute(() -> unlessOver(() -> runner.reading(true)));
    }
  }

  /**
   * Throws the rest of the reply away; the branch is then free. When much is left, the statement is
   * ended on its mysqld; when that does not help, its connection is closed. Bounded, and ends early
   * by an interrupt: whoever interrupts has no patience.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      discard();
      if (!completes(patienceNanos, DRAIN_BYTES, false)) {
        Runnable ending = killer;
        killer = null;
        if (ending != null) {
          ending.run();
        }
        if (ending == null || !completes(END_NANOS, Long.MAX_VALUE, true)) {
          closeBranch();
        }
      }
      items.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Once that is closed, the reply has failed; else there is none, and it will not be sent. */
  private void closeBranch() {
    Branch runner = branch;
    if (runner != null) {
      log.warn("a statement on {} does not end, and its connection is closed", runner.dn());
      runner.eventLoop().execute(() -> unlessOver(runner::close));
      completes(END_NANOS, Long.MAX_VALUE, true);
    }
    state.advance(Wish.ABANDONED, "it does not end");
  }

  private void discard() {
    if (state.wish() == Wish.WANTED) {
      state.advance(Wish.DISCARDED, "nobody wants the rest");
    }
    items.clear();
    queuedBytes = 0;
    resumeIfLow();
  }

  /**
   * Waits for the end of the reply.
   *
   * @param bytes more than so many that nobody wants end the wait
   * @param patient whether an interrupt does not
   */
  private boolean completes(long nanos, long bytes, boolean patient) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = Thread.interrupted();
    long left = nanos;
    while (!state.over() && left > 0 && discardedBytes <= bytes && (patient || !interrupted)) {
      try {
        arrived.awaitNanos(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = end - System.nanoTime();
      items.clear();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state.over();
  }
}
