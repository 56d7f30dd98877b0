package io.alrai.dn.learner;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a learner has heard of its DN: nothing yet, that it was added, or that it was dropped. A
 * file in its directory, which outlives a power cut. Thread-safe.
 */
public final class LearnerMark {
  private static final String ADDED = "added\n";
  private static final String DROPPED = "dropped\n";

  private final Path file;

  /** The mark in a learner's directory, which may not be there yet. */
  public LearnerMark(Path directory) {
    this.file = directory.resolve("learner");
  }

  /** Whether it was added, and not dropped since. */
  public boolean isAdded() {
    return says(ADDED);
  }

  /** Whether it was dropped. */
  public boolean isDropped() {
    return says(DROPPED);
  }

  private boolean says(String word) {
    try {
      return Files.exists(file) && Files.readString(file, StandardCharsets.US_ASCII).equals(word);
    } catch (IOException e) {
      throw unavailable("cannot be read", e);
    }
  }

  /** It was added. */
  public void add() {
    write(ADDED);
  }

  /** It was dropped: it does not begin again with this directory. */
  public void drop() {
    write(DROPPED);
  }

  private void write(String word) {
    try {
      Files.createDirectories(file.getParent());
      DurableFiles.replace(file, word.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw unavailable("cannot be written", e);
    }
  }

  private AlraiException unavailable(String what, IOException cause) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE, file + " " + what + ": " + cause.getMessage(), cause);
  }
}
