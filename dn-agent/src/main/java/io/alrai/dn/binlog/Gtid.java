package io.alrai.dn.binlog;

import java.util.UUID;

/**
 * The name of a transaction in a binary log.
 *
 * @param source the server that wrote it first
 * @param tag empty unless the transaction was given one
 * @param number from 1
 */
public record Gtid(UUID source, String tag, long number) {
  /** As MySQL writes it: {@code uuid:number} or {@code uuid:tag:number}. */
  @Override
  public String toString() {
    return source + (tag.isEmpty() ? "" : ":" + tag) + ":" + number;
  }
}
