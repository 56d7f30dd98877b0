package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Scalar;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What a generated class refers to: bytes of its string literals, tests of dictionary entries. */
final class CodeConstants {
  private static final long PADDING = 8;

  private final Arena arena = Arena.ofAuto();
  private final List<MemorySegment> kept = new ArrayList<>();
  private final List<DictionaryTest> tests = new ArrayList<>();

  /**
   * A condition on one string column that is judged once for each dictionary entry.
   *
   * @param scanColumn the column of the scan
   * @param condition over that column only
   * @param column how the condition names it
   */
  record DictionaryTest(int scanColumn, Scalar condition, int column) {}

  /** Where these bytes are, for as long as this object is reachable. */
  long address(byte[] bytes) {
    MemorySegment segment = arena.allocate(bytes.length + PADDING);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
    kept.add(segment);
    return segment.address();
  }

  /** The number of a test. */
  int test(DictionaryTest test) {
    int known = tests.indexOf(test);
    if (known >= 0) {
      return known;
    }
    tests.add(test);
    return tests.size() - 1;
  }

  List<DictionaryTest> tests() {
    return List.copyOf(tests);
  }
}
