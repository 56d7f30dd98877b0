package io.alrai.gms.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.Roles;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import java.io.IOException;
import java.util.Set;

/**
 * Reads what was written before something was added: catalogs from before there were locks over the
 * cluster have none; tables from before there were column indexes or triggers and schemas from
 * before there were views or routines have none, and their ids come from sequences; triggers from
 * before they could name tables name none; accounts from before there were privileges have all of
 * them, so that an upgrade locks nobody out; before there were privileges for columns, roles, and
 * rules for passwords, nobody had any.
 */
final class OlderRecords extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;

  private static final Set<Class<?>> GROWN =
      Set.of(
          Catalog.class,
          Table.class,
          Trigger.class,
          Schema.class,
          StoredFunction.class,
          Account.class,
          Grants.class,
          GrantChange.class);

  private final Class<?> type;

  private OlderRecords(JsonDeserializer<?> records, Class<?> type) {
    super(records);
    this.type = type;
  }

  /** Puts it before the reading of records that have grown. */
  static final class Modifier extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> deserializer) {
      Class<?> type = bean.getBeanClass();
      return GROWN.contains(type) ? new OlderRecords(deserializer, type) : deserializer;
    }
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> records) {
    return new OlderRecords(records, type);
  }

  @Override
  public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
    ObjectNode record = json.readValueAsTree();
    if (type == Catalog.class && !record.has("locks")) {
      record.putArray("locks");
    }
    if (type == Table.class && !record.has("columnIndexes")) {
      record.putArray("columnIndexes");
    }
    if (type == Table.class && !record.has("triggers")) {
      record.putArray("triggers");
    }
    if (type == Table.class && !record.has("ownIds")) {
      record.put("ownIds", false);
    }
    if (type == Trigger.class && !record.has("tables")) {
      record.putArray("tables");
    }
    if (type == Schema.class && !record.has("views")) {
      record.putObject("views");
    }
    if (type == Schema.class && !record.has("procedures")) {
      record.putObject("procedures");
    }
    if (type == Schema.class && !record.has("functions")) {
      record.putObject("functions");
    }
    if (type == StoredFunction.class && !record.has("program")) {
      record.putArray("program");
    }
    if (type == Account.class && !record.has("grants")) {
      record.set("grants", ((ObjectMapper) json.getCodec()).valueToTree(Grants.ALL));
    }
    if (type == Account.class && !record.has("roles")) {
      record.set("roles", ((ObjectMapper) json.getCodec()).valueToTree(Roles.NONE));
    }
    if (type == Account.class && !record.has("password")) {
      record.set("password", ((ObjectMapper) json.getCodec()).valueToTree(PasswordRules.NONE));
    }
    boolean privileges = type == Grants.class || type == GrantChange.class;
    if (privileges && !record.has("columns")) {
      record.putObject("columns");
    }
    try (JsonParser again = record.traverse(json.getCodec())) {
      again.nextToken();
      return super.deserialize(again, context);
    }
  }
}
