package io.alrai.dn.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Everything of a server that a statement can change: dictionary, files, rows, accounts, GTIDs. */
final class ServerState {
  private static final Map<String, String> QUESTIONS =
      Map.ofEntries(
          ask(
              "schemata",
              "schema_name,default_character_set_name FROM information_schema.schemata"),
          ask(
              "tables",
              "table_schema,table_name,table_type,engine,row_format,create_options"
                  + " FROM information_schema.tables WHERE table_schema LIKE 'f%'"),
          ask("columns", "* FROM information_schema.columns WHERE table_schema LIKE 'f%'"),
          ask(
              "indexes",
              "table_schema,table_name,index_name,seq_in_index,column_name,index_type"
                  + " FROM information_schema.statistics WHERE table_schema LIKE 'f%'"),
          ask(
              "constraints",
              "* FROM information_schema.table_constraints WHERE table_schema LIKE 'f%'"),
          ask(
              "partitions",
              "table_schema,table_name,partition_name,partition_description"
                  + " FROM information_schema.partitions WHERE table_schema LIKE 'f%'"),
          ask("views", "* FROM information_schema.views WHERE table_schema LIKE 'f%'"),
          ask("triggers", "* FROM information_schema.triggers WHERE trigger_schema LIKE 'f%'"),
          ask("routines", "* FROM information_schema.routines WHERE routine_schema LIKE 'f%'"),
          ask("events", "* FROM information_schema.events WHERE event_schema LIKE 'f%'"),
          ask(
              "table ids",
              "name,table_id FROM information_schema.innodb_tables WHERE name LIKE 'f%'"),
          ask("tablespaces", "space,name FROM information_schema.innodb_tablespaces"),
          // not Alrai's own, which are set at each start
          ask(
              "accounts",
              "user,host,authentication_string,account_locked FROM mysql.user"
                  + " WHERE user NOT LIKE 'alrai%'"),
          ask("schema grants", "* FROM mysql.db"),
          ask("table grants", "user,db,table_name,table_priv FROM mysql.tables_priv"),
          ask("roles", "* FROM mysql.role_edges"),
          ask("default roles", "* FROM mysql.default_roles"),
          Map.entry("prepared", "XA RECOVER CONVERT XID"),
          Map.entry("executed", "SELECT @@global.gtid_executed"));

  private ServerState() {}

  private static Map.Entry<String, String> ask(String what, String select) {
    return Map.entry(what, "SELECT " + select);
  }

  static Map<String, List<String>> of(ReplicaServer server) throws Exception {
    Map<String, List<String>> state = new TreeMap<>();
    for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
      state.put(question.getKey(), sorted(server.query(question.getValue())));
    }
    for (List<String> table :
        server.query(
            "SELECT CONCAT(table_schema,'.',table_name) FROM information_schema.tables"
                + " WHERE table_schema LIKE 'f%' AND table_type='BASE TABLE'")) {
      String name = table.getFirst();
      state.put(
          "table " + name,
          server.query("SHOW CREATE TABLE " + name + ";CHECKSUM TABLE " + name).stream()
              // a number that was given out to a lost row stays so
              .map(row -> row.toString().replaceFirst(" AUTO_INCREMENT=\\d ", " "))
              .toList());
    }
    state.put("files", files(server.dataDirectory()));
    return state;
  }

  private static List<String> sorted(List<List<String>> rows) {
    return rows.stream().map(Object::toString).sorted().toList();
  }

  /** Those of the databases, and of tablespaces. */
  private static List<String> files(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data, 2)) {
      return files
          .map(file -> data.relativize(file).toString())
          .filter(file -> file.startsWith("f"))
          .sorted()
          .toList();
    }
  }
}
