package io.alrai.dn.mysqld;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A data directory that is cloned from another server while an instance's own stays as it is. A
 * whole one takes the place of that at the next launch; until then a crash leaves the old one.
 *
 * <pre>
 *   data.cloning   is being made; worth nothing after a crash
 *   data.cloned    whole and on disk
 *   data.replaced  what it replaces, about to be deleted
 * </pre>
 */
public final class ClonedData {
  private final InstanceFiles files;

  /** The cloned data of an instance. */
  public ClonedData(MysqldInstance instance) {
    this.files = instance.files();
  }

  /**
   * Where the server shall make it; nothing is there.
   *
   * @throws MysqldException IO: what an earlier attempt has left cannot be deleted
   */
  public Path begin() {
    discard();
    return files.cloning();
  }

  /**
   * It is whole, and goes to disk; this takes its time.
   *
   * @throws MysqldException IO, DISK_FULL
   */
  public void force() {
    FileTrees.forceAll(files.cloning());
  }

  /**
   * What is on disk takes the place of the data directory at the next launch.
   *
   * @throws MysqldException IO, DISK_FULL
   */
  public void keep() {
    FileTrees.delete(files.cloned());
    FileTrees.moveDurably(files.cloning(), files.cloned());
  }

  /**
   * Deletes what has been made of it.
   *
   * @throws MysqldException IO
   */
  public void discard() {
    FileTrees.delete(files.cloning());
  }

  /** Whether there is a whole one. */
  static boolean isThere(InstanceFiles files) {
    return Files.isDirectory(files.cloned());
  }

  /** Puts a whole one in its place, if there is one; while the server does not run. */
  static void putInPlace(InstanceFiles files) {
    if (isThere(files)) {
      if (Files.isDirectory(files.data())) {
        FileTrees.delete(files.replaced());
        FileTrees.moveDurably(files.data(), files.replaced());
      }
      FileTrees.moveDurably(files.cloned(), files.data());
    }
    FileTrees.delete(files.replaced());
  }
}
