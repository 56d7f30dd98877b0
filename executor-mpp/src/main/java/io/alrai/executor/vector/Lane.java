package io.alrai.executor.vector;

import io.alrai.columnar.scan.Dictionary;
import io.alrai.executor.expression.Texts;
import io.alrai.executor.expression.Whole;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What one worker of a pipeline writes to and reads from. Belongs to one thread at a time. */
public final class Lane {
  /** Bytes of what is kept of a dictionary's entry for grouping: hash, address, length. */
  public static final int ENTRY_BYTES = 24;

  private static final int MOST_PARTS = 256;
  private static final int PART_SHIFT = 40;

  private final QueryMemory memory;
  private final LaneRows stored;
  private final JoinTable[] joins;
  private final Map<Integer, Long> nullRows = new HashMap<>();
  private final Pace pace;
  private final HeldProbes held = new HeldProbes();
  private final int part;
  private final int parts;
  private final Map<Dictionary, Map<Integer, Long>> answered = new IdentityHashMap<>();
  private final Map<Dictionary, Map<Integer, Long>> entered = new IdentityHashMap<>();
  private long[] answers = {};
  private long[] entries = {};
  private long[] sizes = {};
  private QueryMemory dictionaries;
  private long dictionaryBytes;
  private boolean sawNullKey;

  /**
   * A worker.
   *
   * @param joins the tables of the query's joins, by number
   * @param stored takes its rows
   * @param pace how long it may go on
   * @param part which rows of a parted source are its own, of {@code parts}
   */
  public Lane(
      QueryMemory memory, List<JoinTable> joins, LaneRows stored, Pace pace, int part, int parts) {
    this.memory = memory;
    this.dictionaries = memory;
    this.joins = joins.toArray(JoinTable[]::new);
    this.stored = stored;
    this.pace = pace;
    this.part = part;
    this.parts = parts;
  }

  /** A join's table. */
  public JoinTable join(int number) {
    return joins[number];
  }

  /** Puts another slice of a join's table in place of the last one. */
  public void replace(int number, JoinTable slice) {
    joins[number] = slice;
  }

  /** What it has stored. */
  public RowChunks rows() {
    return stored.rows();
  }

  /** Its groups. */
  public GroupTable groups() {
    return stored.groups().orElseThrow();
  }

  /** 1 where a row of this hash belongs to another worker, else 0. */
  public int isForeign(long hash) {
    return (int) (hash >>> PART_SHIFT & MOST_PARTS - 1) % parts == part ? 0 : 1;
  }

  /** How long it may go on. */
  public Pace pace() {
    return pace;
  }

  /** Where it was among a row's partners when it paused. */
  public HeldProbes held() {
    return held;
  }

  /** Records that a row was left out because its key is NULL. */
  public void noteNullKey() {
    sawNullKey = true;
  }

  /** Whether a row was left out because its key is NULL. */
  public boolean sawNullKey() {
    return sawNullKey;
  }

  /** A row of NULLs: the partner of a row that has none. */
  public long nullRow(int join) {
    return nullRows.computeIfAbsent(
        join,
        number -> {
          RowLayout layout = joins[number].layout();
          long row = memory.allocate(layout.size());
          for (int i = 0; i < layout.types().size(); i++) {
            if (layout.nullOffset(i) >= 0) {
              Mem.putByte(row + layout.nullOffset(i), 1);
            }
          }
          return row;
        });
  }

  /** Judges one entry: 1 where a condition holds. */
  @FunctionalInterface
  public interface Judge {
    /** As {@code PipelineCode.judge}. */
    int judge(int test, long address, long length, int missing);
  }

  /** Begins a batch whose code has so many tests and columns. */
  public void begin(int tests, int columns) {
    if (dictionaryBytes > stored.dictionaryBytes()) {
      answered.clear();
      entered.clear();
      if (dictionaries != memory) {
        dictionaries.close();
      }
      dictionaries = memory.part();
      dictionaryBytes = 0;
    }
    answers = new long[tests];
    entries = new long[columns];
    sizes = new long[columns];
  }

  /** Finds a test's answers for a dictionary: a byte for each entry, then one for NULL. */
  public void answer(int test, Dictionary dictionary, Judge judge) {
    answers[test] =
        answered
            .computeIfAbsent(dictionary, d -> new HashMap<>())
            .computeIfAbsent(test, number -> judged(number, dictionary, judge));
  }

  private long judged(int test, Dictionary dictionary, Judge judge) {
    long table = ofDictionary(dictionary.size() + 1L);
    long bytes = dictionary.bytes().address();
    for (int i = 0; i < dictionary.size(); i++) {
      int start = dictionary.start(i);
      int length = dictionary.end(i) - start;
      Mem.putByte(table + i, judge.judge(test, bytes + start, length, 0));
    }
    Mem.putByte(table + dictionary.size(), judge.judge(test, 0, 0, 1));
    return table;
  }

  private long ofDictionary(long bytes) {
    dictionaryBytes += bytes;
    return dictionaries.allocate(bytes);
  }

  /** Finds the hashes of a dictionary's entries; the last one is that of NULL. */
  public void enter(int column, int collation, Dictionary dictionary) {
    sizes[column] = dictionary.size();
    if (collation >= 0) {
      entries[column] =
          entered
              .computeIfAbsent(dictionary, d -> new HashMap<>())
              .computeIfAbsent(column, number -> hashed(collation, dictionary));
    }
  }

  private long hashed(int collation, Dictionary dictionary) {
    long table = ofDictionary((dictionary.size() + 1L) * ENTRY_BYTES);
    long bytes = dictionary.bytes().address();
    for (int i = 0; i < dictionary.size(); i++) {
      long entry = table + (long) i * ENTRY_BYTES;
      long start = bytes + dictionary.start(i);
      long length = dictionary.end(i) - dictionary.start(i);
      Mem.putLong(entry, Texts.hash(start, length, collation));
      Mem.putLong(entry + 8, start);
      Mem.putLong(entry + 16, length);
    }
    long missing = table + (long) dictionary.size() * ENTRY_BYTES;
    Mem.putLong(missing, Whole.HASH_OF_NULL);
    Mem.putLong(missing + 8, 0);
    Mem.putLong(missing + 16, 0);
    return table;
  }

  /** Where a test's answers are. */
  public long answers(int test) {
    return answers[test];
  }

  /** Where a dictionary's hashes are. */
  public long entries(int column) {
    return entries[column];
  }

  /** The code that stands for NULL. */
  public long dictionarySize(int column) {
    return sizes[column];
  }
}
