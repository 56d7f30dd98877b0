package io.alrai.cn.ask;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row of a question or an answer between CNs. Fields are only ever added at its end. */
public record AskRow(List<@Nullable String> fields) {
  public AskRow {
    fields = Collections.unmodifiableList(new ArrayList<>(fields));
  }

  /** Of texts and numbers. */
  public static AskRow of(@Nullable Object... fields) {
    return new AskRow(
        Arrays.stream(fields).map(field -> field == null ? null : field.toString()).toList());
  }

  /** A field; null for NULL, and for one that the other CN did not know of. */
  public @Nullable String get(int field) {
    return field < fields.size() ? fields.get(field) : null;
  }

  /** A field; empty for NULL. */
  public String text(int field) {
    return Objects.requireNonNullElse(get(field), "");
  }

  /** A whole number; 0 for what is none. */
  public long number(int field) {
    try {
      return Long.parseLong(text(field));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
