package io.alrai.optimizer.api;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The body of a trigger that stays with its row.
 *
 * @param text as the client wrote it
 * @param reads the columns behind NEW and OLD, but for those that are only assigned
 * @param sets the columns that it assigns
 * @param varying what gives another value on each server, such as {@code UUID}; empty when nothing
 *     does
 * @param known pieces of the text that mean something else on the servers of rows, in order
 */
public record TriggerBody(
    String text, List<String> reads, List<String> sets, String varying, List<Known> known) {
  /** Copies the lists. */
  public TriggerBody {
    reads = List.copyOf(reads);
    sets = List.copyOf(sets);
    known = List.copyOf(known);
  }

  /** What is known when the trigger is made. */
  public enum Meaning {
    /** CURRENT_USER: within a trigger its definer. */
    DEFINER,
    /** DATABASE() and SCHEMA(): within a trigger its own schema. */
    SCHEMA
  }

  /** A piece of the text, from one index up to another one, exclusive. */
  public record Known(Meaning meaning, int start, int end) {}

  /** The text as it runs where rows are. */
  public String at(String definer, String schema) {
    StringBuilder written = new StringBuilder();
    int from = 0;
    for (Known piece : known) {
      written.append(text, from, piece.start());
      written.append(literal(piece.meaning() == Meaning.DEFINER ? definer : schema));
      from = piece.end();
    }
    return written.append(text.substring(from)).toString();
  }

  /** In hexadecimal: the same under every sql_mode. */
  private static String literal(String value) {
    return "(_utf8mb4 0x"
        + HexFormat.of().withUpperCase().formatHex(value.getBytes(StandardCharsets.UTF_8))
        + ")";
  }
}
