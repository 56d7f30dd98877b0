package io.alrai.dn.binlog;

import io.alrai.dn.backend.BackendConnector;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the log of a running mysqld over connections of its own, as a replica for which nobody
 * waits. Any thread.
 */
public final class MysqldLog implements LogReader.Source {
  private final BackendConnector connector;
  private final EventLoop loop;

  /**
   * Nothing is opened yet.
   *
   * @param loop not the stream's, which commits wait for
   */
  public MysqldLog(BackendConnector connector, EventLoop loop) {
    this.connector = connector;
    this.loop = loop;
  }

  @Override
  public LogReader open(GtidSet from, long boundBytes) {
    Reader reader = new Reader(from, boundBytes);
    loop.execute(() -> reader.connection.open(connector));
    return reader;
  }

  private sealed interface Item {
    record Read(BinlogTransaction transaction) implements Item {}

    record Broken(BinlogException reason) implements Item {}
  }

  private final class Reader implements LogReader, DumpConnection.Sink {
    private final GtidSet from;
    private final long bound;
    private final LinkedBlockingQueue<Item> queue = new LinkedBlockingQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private final TransactionAssembler assembler;
    private final DumpConnection connection;
    private boolean paused; // loop only

    Reader(GtidSet from, long bound) {
      this.from = from;
      this.bound = bound;
      this.assembler =
          new TransactionAssembler(
              (int) Math.min(bound, Integer.MAX_VALUE / 2), LongEvents.NONE, this::read);
      this.connection = new DumpConnection(loop, UUID.randomUUID(), false, this);
    }

    @Override
    public GtidSet begin(GtidSet executed) {
      return from;
    }

    @Override
    public void attached() {
      // events follow
    }

    @Override
    public void event(Event event) {
      assembler.accept(event);
    }

    private void read(BinlogTransaction transaction) {
      queue.add(new Item.Read(transaction));
      if (queued.addAndGet(transaction.heldBytes()) > bound && !paused) {
        paused = true;
        connection.reading(false);
      }
    }

    @Override
    public void batchEnd() {
      // nothing is gathered
    }

    @Override
    public void closed(Throwable reason) {
      queue.add(new Item.Broken(new BinlogException("the log cannot be read on", reason)));
    }

    @Override
    public Optional<BinlogTransaction> poll(long millis) throws InterruptedException {
      return switch (queue.poll(millis, TimeUnit.MILLISECONDS)) {
        case null -> Optional.empty();
        case Item.Broken broken -> {
          queue.add(broken);
          throw broken.reason;
        }
        case Item.Read item -> {
          if (queued.addAndGet(-item.transaction.heldBytes()) <= bound / 2) {
            loop.execute(this::resume);
          }
          yield Optional.of(item.transaction);
        }
      };
    }

    private void resume() {
      if (paused) {
        paused = false;
        connection.reading(true);
      }
    }

    @Override
    public void close() {
      loop.execute(connection::close);
    }
  }
}
