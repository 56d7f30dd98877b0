package io.alrai.executor.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.scan.Dictionary;
import io.alrai.executor.expression.Whole;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.memory.QueryMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneTest {
  /** Rows without a dictionary count NULL like that: they must meet in one group. */
  @Test
  void nullOfADictionaryHasTheHashOfEveryNull() {
    try (Arena arena = Arena.ofConfined();
        QueryMemory memory =
            new QueryMemory(new MemoryRegion(1 << 20).reserve(0, 1 << 20).orElseThrow())) {
      MemorySegment bytes = arena.allocate(2);
      bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
      bytes.set(ValueLayout.JAVA_BYTE, 1, (byte) 'b');
      MemorySegment ends = arena.allocateFrom(ValueLayout.JAVA_INT, 0, 1, 2);
      Pace pace = new Pace(() -> {}, () -> 0, 1);
      Lane lane =
          new Lane(
              memory, List.of(), LaneRows.of(new RowLayout(List.of()), true, memory), pace, 0, 1);
      lane.begin(0, 1);
      lane.enter(0, TextCollation.values()[0].ordinal(), new Dictionary(2, ends, bytes));
      long ofNull = lane.entries(0) + 2L * Lane.ENTRY_BYTES;
      assertEquals(Whole.HASH_OF_NULL, Mem.longAt(ofNull));
    }
  }
}
