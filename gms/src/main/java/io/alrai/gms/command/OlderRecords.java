package io.alrai.gms.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.Roles;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.ForcedGroup;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Reads what was written before something was added: catalogs from before there were locks over the
 * cluster, column nodes or versions that agents know have none; DNs from before they could have
 * several replicas have one, those from before groups could be forced, and their members, were not;
 * tables from before there were column indexes or triggers and schemas from before there were views
 * or routines have none, those from before they had numbers have physical schemas of their name,
 * and their ids come from sequences, and of them it is not known whether they were placed by
 * default; column indexes from before their jobs were noted have none; triggers from before they
 * could name tables name none; functions from before CNs interpreted some are not interpreted;
 * accounts from before passwords were salted keep the better of their two digests until they are,
 * and need no TLS; those from before there were privileges have all of them, so that an upgrade
 * locks nobody out; before there were privileges for columns or routines, roles, rules for
 * passwords, and limits of accounts, nobody had any, but that who made a routine might call and
 * change it: he is granted that.
 */
final class OlderRecords extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;

  private static final Set<Class<?>> GROWN =
      Set.of(
          Catalog.class,
          DataNode.class,
          CatalogCommand.PutDnMember.class,
          Table.class,
          ColumnIndexDefinition.class,
          Trigger.class,
          Schema.class,
          CatalogCommand.CreateSchema.class,
          StoredFunction.class,
          Account.class,
          Grants.class,
          GrantChange.class,
          GrantScope.class,
          CatalogCommand.PutProcedure.class,
          CatalogCommand.DropProcedure.class,
          CatalogCommand.PutFunction.class,
          CatalogCommand.DropFunction.class);

  /** The key under which a routine had its creator. */
  private static final String CREATOR = "creator";

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
    ofSchemas(record);
    ofNodes(record, (ObjectMapper) json.getCodec());
    ofAccounts(record, (ObjectMapper) json.getCodec());
    ofRoutines(record);
    try (JsonParser again = record.traverse(json.getCodec())) {
      again.nextToken();
      return super.deserialize(again, context);
    }
  }

  private void ofNodes(ObjectNode record, ObjectMapper mapper) {
    if (type == Catalog.class && !record.has("locks")) {
      record.putArray("locks");
    }
    if (type == Catalog.class && !record.has("columnNodes")) {
      record.putArray("columnNodes");
    }
    if (type == DataNode.class && !record.has("members")) {
      record.putArray("members");
      record.put("term", 0);
    }
    if (type == Catalog.class && !record.has("linkedNodes")) {
      record.putArray("linkedNodes");
    }
    if (type == CatalogCommand.PutDnMember.class && !record.has("generation")) {
      record.put("generation", 0);
    }
    if (type == DataNode.class && !record.has("forced")) {
      record.set("forced", mapper.valueToTree(ForcedGroup.NONE));
    }
  }

  private void ofSchemas(ObjectNode record) {
    if (type == Table.class && !record.has("columnIndexes")) {
      record.putArray("columnIndexes");
    }
    if (type == Table.class && !record.has("triggers")) {
      record.putArray("triggers");
    }
    if (type == Table.class && !record.has("ownIds")) {
      record.put("ownIds", false);
    }
    if (type == Table.class && !record.has("placedByDefault")) {
      record.put("placedByDefault", false);
    }
    if (type == ColumnIndexDefinition.class && !record.has("job")) {
      record.put("job", 0);
    }
    if (type == Trigger.class && !record.has("tables")) {
      record.putArray("tables");
    }
    boolean schema = type == Schema.class || type == CatalogCommand.CreateSchema.class;
    if (schema && !record.has("stem")) {
      record.set("stem", record.path("name"));
    }
    if (type == Schema.class) {
      complete(record, "views", "procedures", "functions");
    }
    if (type == StoredFunction.class && !record.has("program")) {
      record.putArray("program");
    }
  }

  /** Puts in what is missing, with nothing in it. */
  private static void complete(ObjectNode record, String... maps) {
    for (String name : maps) {
      if (!record.has(name)) {
        record.putObject(name);
      }
    }
  }

  private void ofAccounts(ObjectNode record, ObjectMapper mapper) {
    if (type == Account.class && !record.has("credential")) {
      record.set(
          "credential",
          mapper.valueToTree(
              Credential.old(
                  record.path("nativeDigest").asText(), record.path("sha2Digest").asText())));
      record.remove(List.of("nativeDigest", "sha2Digest"));
    }
    if (type == Account.class && !record.has("requiresTls")) {
      record.put("requiresTls", false);
    }
    if (type == Account.class && !record.has("grants")) {
      record.set("grants", mapper.valueToTree(Grants.ALL));
    }
    if (type == Account.class && !record.has("roles")) {
      record.set("roles", mapper.valueToTree(Roles.NONE));
    }
    if (type == Account.class && !record.has("password")) {
      record.set("password", mapper.valueToTree(PasswordRules.NONE));
    }
    if (type == Account.class && !record.has("limits")) {
      record.set("limits", mapper.valueToTree(AccountLimits.NONE));
    }
    if (type == Grants.class) {
      complete(record, "columns", "procedures", "functions");
    }
    if (type == GrantChange.class) {
      complete(record, "columns");
    }
    if (type == GrantScope.class && record.has("table")) {
      String table = record.remove("table").asText();
      Level ofSchema = record.path("schema").asText().isEmpty() ? Level.GLOBAL : Level.SCHEMA;
      record.put("level", (table.isEmpty() ? ofSchema : Level.TABLE).name());
      record.put("name", table);
    }
  }

  private void ofRoutines(ObjectNode record) {
    if (type == CatalogCommand.PutProcedure.class) {
      own(record, "procedure");
    }
    if (type == CatalogCommand.PutFunction.class) {
      own(record, "function");
    }
    boolean drop =
        type == CatalogCommand.DropProcedure.class || type == CatalogCommand.DropFunction.class;
    if (drop && !record.has("privileges")) {
      record.put("privileges", true);
    }
    if (type == Catalog.class) {
      for (JsonNode schema : record.path("schemas")) {
        for (String kind : List.of("procedures", "functions")) {
          for (JsonNode routine : schema.path(kind)) {
            own(record.path("accounts"), kind, routine);
          }
        }
      }
    }
  }

  private static void own(ObjectNode command, String routine) {
    if (command.path(routine) instanceof ObjectNode made && made.has(CREATOR)) {
      command.set("owner", made.remove(CREATOR));
    }
  }

  /** Gives a routine of a snapshot to its creator, if that account still exists. */
  private static void own(JsonNode accounts, String kind, JsonNode routine) {
    if (!(routine instanceof ObjectNode made) || !made.has(CREATOR)) {
      return;
    }
    String creator = made.remove(CREATOR).asText();
    if (accounts.path(creator).path("grants") instanceof ObjectNode grants) {
      grants
          .withObjectProperty(kind)
          .withObjectProperty(made.path("schema").asText())
          .putArray(Procedure.key(made.path("name").asText()))
          .add(Privilege.EXECUTE.name())
          .add(Privilege.ALTER_ROUTINE.name());
    }
  }
}
