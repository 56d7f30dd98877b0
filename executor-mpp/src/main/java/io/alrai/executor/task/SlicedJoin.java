package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Extent;
import io.alrai.executor.spill.Partition;
import io.alrai.executor.spill.PartitionWriter;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.vector.HashPlace;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A join's build side that does not fit in memory: rows on disk by their hashes, of which tables
 * are made slice by slice. The probe side is gone through once for each slice. Belongs to the
 * query's own thread.
 */
final class SlicedJoin {
  private final List<Partition> partitions;
  private final SpillFile file;
  private final RowLayout layout;
  private final boolean hasNullKey;

  /**
   * Rows on disk.
   *
   * @param partitions in the order of their hashes; some rows at least
   * @param file has them
   */
  SlicedJoin(List<Partition> partitions, SpillFile file, RowLayout layout, boolean hasNullKey) {
    this.partitions = List.copyOf(partitions);
    this.file = file;
    this.layout = layout;
    this.hasNullKey = hasNullKey;
  }

  /** A slice's table. */
  JoinTable load(JoinSlice slice, QueryWork work, QueryMemory memory) {
    return slice.load(layout, hasNullKey, work, memory);
  }

  /**
   * Slices for tables of so many bytes, which together are looked into for every hash.
   *
   * @throws io.alrai.common.error.AlraiException 1041 for too many rows of one key that must be
   *     together
   */
  List<JoinSlice> slices(Step.Probe probe, long mostBytes, QueryWork work, SpillShares shares) {
    Cutting cutting = new Cutting(probe, mostBytes, work, shares);
    partitions.forEach(cutting::add);
    List<JoinSlice> slices = new ArrayList<>();
    for (JoinSlice unit : cutting.units) {
      JoinSlice last = slices.isEmpty() ? unit : slices.getLast().with(unit);
      if (slices.isEmpty()) {
        slices.add(unit.fromFirst());
      } else if (last.bytes(layout.size()) <= mostBytes) {
        slices.set(slices.size() - 1, last);
      } else {
        slices.add(unit);
      }
    }
    for (int i = 0; i < slices.size(); i++) {
      boolean isLast = i == slices.size() - 1;
      int behind = isLast ? HashPlace.LAST + 1 : slices.get(i + 1).range().from();
      // blocks of one key have the same place, so each is probed
      if (behind > slices.get(i).range().to()) {
        slices.set(i, slices.get(i).upTo(behind - 1));
      }
    }
    return slices;
  }

  /** Cuts the rows into units that fit into memory. */
  private final class Cutting {
    private final Step.Probe probe;
    private final long mostBytes;
    private final QueryWork work;
    private final SpillShares shares;
    private final List<JoinSlice> units = new ArrayList<>();

    Cutting(Step.Probe probe, long mostBytes, QueryWork work, SpillShares shares) {
      this.probe = probe;
      this.mostBytes = mostBytes;
      this.work = work;
      this.shares = shares;
    }

    void add(Partition partition) {
      JoinTable.Slice range = new JoinTable.Slice(partition.from(), partition.to());
      JoinSlice whole = new JoinSlice(range, partition.pieces());
      if (whole.bytes(layout.size()) <= mostBytes) {
        units.add(whole);
      } else if (partition.isDivisible() && !probe.keys().isEmpty()) {
        divide(partition).forEach(this::add);
      } else if (probe.kind() == JoinKind.INNER) {
        blocks(whole);
      } else {
        throw NotTaken.pastMemory("a join's rows of one key");
      }
    }

    /** Any cut will do where each pair of rows counts for itself. */
    private void blocks(JoinSlice whole) {
      JoinSlice block = new JoinSlice(whole.range(), List.of());
      for (Extent piece : whole.pieces()) {
        JoinSlice one = new JoinSlice(whole.range(), List.of(piece));
        if (block.with(one).bytes(layout.size()) > mostBytes) {
          units.add(block);
          block = one;
        } else {
          block = block.with(one);
        }
      }
      units.add(block);
    }

    private List<Partition> divide(Partition partition) {
      try (QueryMemory memory = work.memory().part()) {
        long piece = shares.piece(shares.workers());
        PartitionWriter writer = new PartitionWriter(file, layout.size(), piece, memory);
        writer.begin(partition);
        work.await(
            List.of(
                new RowCut(
                    partition.pieces(),
                    layout.size(),
                    new PieceBuffer(memory),
                    work.pace(),
                    RowCut.ALL,
                    row -> writer.add(row, 1))));
        work.inOneTask(writer::flush);
        return PartitionWriter.finish(List.of(writer));
      }
    }
  }
}
