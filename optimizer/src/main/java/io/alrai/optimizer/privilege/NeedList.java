package io.alrai.optimizer.privilege;

import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.syntax.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Needs as they are found. A table without a schema where none is chosen needs nothing: 1046. */
final class NeedList {
  private final Planner.Context context;
  private final List<Need> needs = new ArrayList<>();

  NeedList(Planner.Context context) {
    this.context = context;
  }

  Planner.Context context() {
    return context;
  }

  Needs done() {
    return needs.isEmpty() ? Needs.NONE : new Needs(needs);
  }

  void add(Need need) {
    needs.add(need);
  }

  void addAll(Needs others) {
    needs.addAll(others.all());
  }

  String schema(TableName name) {
    return name.schema().orElse(context.currentSchema());
  }

  String schema(Optional<Identifier> given) {
    return given.map(Identifier::name).orElse(context.currentSchema());
  }

  void onTable(TableName name, Privilege... privileges) {
    onTable(schema(name), name.table(), Privilege.bits(privileges));
  }

  void onTable(String schema, String table, long privileges) {
    if (!schema.isEmpty()) {
      needs.add(new Need.OnTable(schema, table, privileges));
    }
  }

  /** One of several on a table; nothing for one that is not there. */
  void anyOnTable(TableName name, long anyOf, String command) {
    String schema = schema(name);
    boolean there =
        context.catalog().table(schema, name.table()).isPresent()
            || context.catalog().view(schema, name.table()).isPresent();
    if (there) {
      needs.add(new Need.AnyOnTable(schema, name.table(), anyOf, command, false));
    }
  }

  void onSchema(String schema, Privilege privilege) {
    if (!schema.isEmpty()) {
      needs.add(new Need.OnSchema(schema, privilege.bit()));
    }
  }

  void global(String names, long anyOf, DynamicPrivilege... orAnyOf) {
    needs.add(new Need.Global(anyOf, List.of(orAnyOf), names));
  }
}
