package io.alrai.executor.task;

import io.alrai.executor.vector.RowChunks;
import java.util.List;

/** Puts on disk what the workers of a stage have no memory for. */
interface SpillSink {
  /**
   * Takes rows of one worker; they are overwritten then. Calls for different workers may come at
   * once.
   */
  void take(int worker, List<RowChunks.Chunk> rows);
}
