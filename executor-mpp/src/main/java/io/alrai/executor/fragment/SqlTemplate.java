package io.alrai.executor.fragment;

import io.alrai.common.sql.VariableName;
import java.util.List;
import java.util.Optional;

/**
 * SQL text with holes that are filled at execution, so that a second execution does no tree work.
 */
public record SqlTemplate(List<Piece> pieces) {
  /** No text. */
  public static final SqlTemplate EMPTY = new SqlTemplate(List.of());

  public SqlTemplate {
    pieces = List.copyOf(pieces);
  }

  /** Text or a hole. */
  public sealed interface Piece {
    /** Fixed text. */
    record Text(String sql) implements Piece {}

    /** The SQL text of a slot's value. */
    record Slot(int index) implements Piece {}

    /** The place's physical schema (or the gather's scratch schema), quoted with backticks. */
    record PlaceSchema() implements Piece {}

    /** A value of the session, as an SQL literal. */
    record Session(SessionValue value) implements Piece {}

    /** The sum of two whole-number slots: what LIMIT is where shards cannot skip the offset. */
    record Sum(int first, int second) implements Piece {}

    /**
     * The value of the session's user variable, as an SQL literal; NULL when it has none.
     *
     * @param name in lower case, without {@code @}
     */
    record UserVariable(String name) implements Piece {}

    /**
     * The value of a system variable as this session sees it, as an SQL literal; the variable
     * itself ({@code @@name}) where the session keeps no value of its own.
     *
     * @param scope as written
     */
    record SystemVariable(Scope scope, VariableName name) implements Piece {}
  }

  /** What stands before the name of a system variable. */
  public enum Scope {
    /** Nothing: the session's value, where sessions have one. */
    NONE,
    /** {@code SESSION} or {@code LOCAL}. */
    SESSION,
    /** {@code GLOBAL}. */
    GLOBAL
  }

  /** What only the CN's session knows, whatever backend runs the statement. */
  public enum SessionValue {
    /** {@code LAST_INSERT_ID()}. */
    LAST_INSERT_ID,
    /** {@code CONNECTION_ID()}. */
    CONNECTION_ID,
    /** {@code DATABASE()} and {@code SCHEMA()}. */
    DATABASE,
    /** {@code USER()}, {@code SESSION_USER()}, {@code SYSTEM_USER()}. */
    USER,
    /** {@code CURRENT_USER()}. */
    CURRENT_USER,
    /** {@code CURRENT_ROLE()}. */
    CURRENT_ROLE,
    /** {@code ROW_COUNT()}. */
    ROW_COUNT,
    /** {@code FOUND_ROWS()}. */
    FOUND_ROWS,
    /** {@code VERSION()} and {@code @@version}. */
    VERSION;

    /**
     * What a function without arguments gives; empty for those that a mysqld knows as well.
     *
     * @param name in upper case
     */
    public static Optional<SessionValue> ofFunction(String name) {
      return switch (name) {
        case "LAST_INSERT_ID" -> Optional.of(LAST_INSERT_ID);
        case "CONNECTION_ID" -> Optional.of(CONNECTION_ID);
        case "DATABASE", "SCHEMA" -> Optional.of(DATABASE);
        case "USER", "SESSION_USER", "SYSTEM_USER" -> Optional.of(USER);
        case "CURRENT_USER" -> Optional.of(CURRENT_USER);
        case "CURRENT_ROLE" -> Optional.of(CURRENT_ROLE);
        case "ROW_COUNT" -> Optional.of(ROW_COUNT);
        case "FOUND_ROWS" -> Optional.of(FOUND_ROWS);
        case "VERSION" -> Optional.of(VERSION);
        default -> Optional.empty();
      };
    }
  }
}
