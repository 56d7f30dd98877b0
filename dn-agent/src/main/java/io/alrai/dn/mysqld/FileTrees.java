package io.alrai.dn.mysqld;

import io.alrai.common.file.DurableFiles;
import io.alrai.common.file.Trees;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;

/** Files and trees of a mysqld, and what file errors mean to it. Blocking. */
final class FileTrees {
  private FileTrees() {}

  /** Creates a directory and its parents; it is for its owner only, also one that was there. */
  static void createPrivate(Path directory) {
    try {
      PrivateFiles.directory(directory);
    } catch (IOException e) {
      throw failure("create, for its owner alone,", directory, e);
    }
  }

  /** Creates a directory and its parents. */
  static void createDirectories(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw failure("create", directory, e);
    }
  }

  /** Makes a tree survive a loss of power. */
  static void forceAll(Path root) {
    try {
      Trees.forceAll(root);
    } catch (IOException e) {
      throw failure("write", root, e);
    }
  }

  /** As {@link Trees#copyDurably}. */
  static void copyDurably(Path from, Path to, Set<String> leftOut) {
    try {
      Trees.copyDurably(from, to, leftOut);
    } catch (IOException e) {
      throw failure("copy to", to, e);
    }
  }

  /** Renames inside one file system and makes the new name durable. */
  static void moveDurably(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      Path parent = to.toAbsolutePath().getParent();
      if (parent != null) {
        DurableFiles.force(parent);
      }
    } catch (IOException e) {
      throw failure("rename to", to, e);
    }
  }

  /** Deletes a tree; fine when there is none. */
  static void delete(Path root) {
    try {
      Trees.delete(root);
    } catch (IOException e) {
      throw failure("delete", root, e);
    }
  }

  /** Says what a file error means. */
  static MysqldException failure(String action, Path path, IOException e) {
    String text = String.valueOf(e.getMessage());
    String sentence = "cannot " + action + " " + path + ": " + text;
    if (text.toLowerCase(Locale.ROOT).contains("no space left")) {
      return new MysqldException(Reason.DISK_FULL, sentence + "; free some disk space", e);
    }
    if (e instanceof AccessDeniedException) {
      return new MysqldException(
          Reason.PERMISSION, "cannot " + action + " " + path + ": permission denied", e);
    }
    return new MysqldException(Reason.IO, sentence, e);
  }
}
