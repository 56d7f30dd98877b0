package io.alrai.executor.task;

import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Extent;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Pace;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rows of a join's build side of which a table can be made.
 *
 * @param range which hashes look for their partners here
 * @param pieces the rows
 */
record JoinSlice(JoinTable.Slice range, List<Extent> pieces) {
  JoinSlice {
    pieces = List.copyOf(pieces);
  }

  /** How many bytes its table takes. */
  long bytes(int rowBytes) {
    return JoinTable.bytes(pieces.stream().mapToLong(Extent::rows).sum(), rowBytes);
  }

  /** The rows of both. */
  JoinSlice with(JoinSlice next) {
    List<Extent> all = new ArrayList<>(pieces);
    all.addAll(next.pieces());
    return new JoinSlice(new JoinTable.Slice(range.from(), next.range().to()), all);
  }

  /** A slice of these rows for hashes up to a place. */
  JoinSlice upTo(int place) {
    return new JoinSlice(new JoinTable.Slice(range.from(), place), pieces);
  }

  /** A slice of these rows that begins with the first hashes. */
  JoinSlice fromFirst() {
    return new JoinSlice(new JoinTable.Slice(0, range.to()), pieces);
  }

  /** Makes the table, in memory that is freed with it. */
  JoinTable load(RowLayout layout, boolean hasNullKey, QueryWork work, QueryMemory memory) {
    AtomicInteger next = new AtomicInteger();
    Queue<RowChunks.Chunk> chunks = new ConcurrentLinkedQueue<>();
    List<Loading> tasks = new ArrayList<>();
    for (int i = 0; i < work.lanes(); i++) {
      tasks.add(new Loading(pieces, next, chunks, work.pace(), memory));
    }
    work.await(tasks);
    JoinTable table = new JoinTable(layout, List.copyOf(chunks), hasNullKey, range, memory);
    Linking.link(table, work);
    return table;
  }

  /** One of the workers that read pieces. */
  private record Loading(
      List<Extent> pieces,
      AtomicInteger next,
      Queue<RowChunks.Chunk> chunks,
      Pace pace,
      QueryMemory memory)
      implements SliceScheduler.Task {
    @Override
    public SliceScheduler.Turn run(long deadlineNanos) {
      pace.begin(deadlineNanos);
      pace.check();
      for (int piece = next.getAndIncrement();
          piece < pieces.size();
          piece = next.getAndIncrement()) {
        Extent rows = pieces.get(piece);
        chunks.add(new RowChunks.Chunk(rows.load(new PieceBuffer(memory)), rows.rows()));
        if (!pace.goesOn()) {
          return SliceScheduler.Turn.YIELDED;
        }
      }
      return SliceScheduler.Turn.DONE;
    }
  }
}
