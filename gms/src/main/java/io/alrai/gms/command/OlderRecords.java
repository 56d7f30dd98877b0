package io.alrai.gms.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import java.io.IOException;

/**
 * Reads what was written before something was added: tables from before there were column indexes,
 * and schemas from before there were views, have none.
 */
final class OlderRecords extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;
  private static final String OF_TABLES = "columnIndexes";
  private static final String OF_SCHEMAS = "views";

  private final boolean tables;

  private OlderRecords(JsonDeserializer<?> records, boolean tables) {
    super(records);
    this.tables = tables;
  }

  /** Puts it before the reading of tables and schemas. */
  static final class Modifier extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
      boolean tables = type.getBeanClass() == Table.class;
      return tables || type.getBeanClass() == Schema.class
          ? new OlderRecords(deserializer, tables)
          : deserializer;
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> records) {
    return new OlderRecords(records, tables);
  }

  @Override
  public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
    ObjectNode record = json.readValueAsTree();
    if (tables && !record.has(OF_TABLES)) {
      record.putArray(OF_TABLES);
    }
    if (!tables && !record.has(OF_SCHEMAS)) {
      record.putObject(OF_SCHEMAS);
    }
    try (JsonParser again = record.traverse(json.getCodec())) {
      again.nextToken();
      return super.deserialize(again, context);
    }
  }
}
