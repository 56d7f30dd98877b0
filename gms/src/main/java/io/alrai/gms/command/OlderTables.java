package io.alrai.gms.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.alrai.gms.api.Table;
import java.io.IOException;

/** Reads tables that were written before there were column indexes: they have none. */
final class OlderTables extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;
  private static final String LATER = "columnIndexes";

  private OlderTables(JsonDeserializer<?> tables) {
    super(tables);
  }

  /** Puts it before the reading of tables. */
  static final class Modifier extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
      return type.getBeanClass() == Table.class ? new OlderTables(deserializer) : deserializer;
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> tables) {
    return new OlderTables(tables);
  }

  @Override
  public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
    ObjectNode table = json.readValueAsTree();
    if (!table.has(LATER)) {
      table.putArray(LATER);
    }
    try (JsonParser again = table.traverse(json.getCodec())) {
      again.nextToken();
      return super.deserialize(again, context);
    }
  }
}
