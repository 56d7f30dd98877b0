package io.alrai.common.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What files' errors say to a person: the JDK's messages are often but the name. Any thread. */
public final class FileErrors {
  private FileErrors() {}

  /** What went wrong and with which file, for the end of a sentence. */
  public static String text(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied for " + denied.getFile();
      case NoSuchFileException gone -> "there is no " + gone.getFile();
      case FileAlreadyExistsException taken -> taken.getFile() + " is there already";
      case NotDirectoryException file -> file.getFile() + " is not a directory";
      case FileSystemException other when other.getReason() != null ->
          other.getReason() + ": " + other.getFile();
      default -> String.valueOf(e.getMessage());
    };
  }
}
