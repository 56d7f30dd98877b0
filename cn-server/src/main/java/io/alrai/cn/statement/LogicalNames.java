package io.alrai.cn.statement;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PhysicalNames;
import io.alrai.gms.api.Schema;
import java.util.function.Supplier;

/** Turns names of physical schemas into the logical ones that clients know. Thread-safe. */
public final class LogicalNames {
  private final Supplier<Catalog> catalog;

  /** Names of the databases in this catalog. */
  public LogicalNames(Supplier<Catalog> catalog) {
    this.catalog = catalog;
  }

  /** The logical schema of a physical one; any other name as it is. */
  public String schema(String name) {
    return names().logical(name).orElse(name);
  }

  /**
   * A physical schema that every DN has of a logical one, for texts that name theirs: functions
   * that do not exist are reported with the current schema.
   *
   * @param schema a session's, maybe dropped or empty
   * @return empty when there is none
   */
  public String home(String schema) {
    return catalog
        .get()
        .schema(schema)
        .map(Schema::broadcastSchema)
        .orElse(PhysicalSchema.NONE)
        .name();
  }

  /** The error with logical names in its sentence. */
  public AlraiException error(AlraiException error) {
    String text = text(error.sentence());
    if (text.equals(error.sentence())) {
      return error;
    }
    AlraiException logical = AlraiException.fromServer(error.errno(), error.sqlState(), text);
    logical.initCause(error);
    return logical;
  }

  /** A text with logical names: {@code a17_p00003.t} becomes {@code shop.t}. */
  public String text(String message) {
    return names().inText(message);
  }

  private PhysicalNames names() {
    return new PhysicalNames(catalog.get());
  }
}
