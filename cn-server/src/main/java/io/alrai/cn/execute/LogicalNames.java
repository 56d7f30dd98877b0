package io.alrai.cn.execute;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns names of physical schemas into the logical ones that clients know. Thread-safe. */
public final class LogicalNames {
  private static final Pattern PHYSICAL = Pattern.compile("\\b(\\w+?)_(p\\d{5}|b)\\b");

  private final Supplier<Catalog> catalog;

  /** Names of the databases in this catalog. */
  public LogicalNames(Supplier<Catalog> catalog) {
    this.catalog = catalog;
  }

  /** The logical schema of a physical one; any other name as it is. */
  String schema(String name) {
    Matcher matcher = PHYSICAL.matcher(name);
    return matcher.matches() && isSchema(matcher.group(1)) ? matcher.group(1) : name;
  }

  /**
   * A physical schema that every DN has of a logical one, for texts that name theirs: functions
   * that do not exist are told of the current schema.
   *
   * @param schema a session's, maybe dropped or empty
   * @return empty when there is none
   */
  String home(String schema) {
    return isSchema(schema) ? schema + "_b" : "";
  }

  /** The error with logical names in its sentence. */
  AlraiException error(AlraiException error) {
    String text = text(error.sentence());
    if (text.equals(error.sentence())) {
      return error;
    }
    AlraiException logical = AlraiException.fromServer(error.errno(), error.sqlState(), text);
    logical.initCause(error);
    return logical;
  }

  /** A text with logical names: {@code shop_p00003.t} becomes {@code shop.t}. */
  public String text(String message) {
    Matcher matcher = PHYSICAL.matcher(message);
    StringBuilder text = new StringBuilder();
    while (matcher.find()) {
      String logical = isSchema(matcher.group(1)) ? matcher.group(1) : matcher.group();
      matcher.appendReplacement(text, Matcher.quoteReplacement(logical));
    }
    return matcher.appendTail(text).toString();
  }

  private boolean isSchema(String name) {
    return catalog.get().schema(name).isPresent();
  }
}
