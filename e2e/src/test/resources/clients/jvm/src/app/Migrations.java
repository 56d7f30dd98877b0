package app;

import java.sql.*;
import java.time.*;
import java.util.*;

/** Flyway and Liquibase. */
final class Migrations {
  static void run(String url) {
    flyway(url);
    liquibase(url);
  }

  private static void flyway(String url) {
    Steps.step(
        "flyway",
        () -> {
          var f =
              org.flywaydb.core.Flyway.configure()
                  .dataSource(url, "root", "")
                  .baselineOnMigrate(true)
                  .baselineVersion("0")
                  .locations("filesystem:db/migration")
                  .load();
          var r = f.migrate();
          f.validate();
          return r.migrationsExecuted
              + " "
              + Arrays.stream(f.info().all())
                  .map(i -> i.getVersion() + ":" + i.getState())
                  .toList();
        });
    Steps.step(
        "flyway again",
        () ->
            org.flywaydb.core.Flyway.configure()
                .dataSource(url, "root", "")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .locations("filesystem:db/migration")
                .load()
                .migrate()
                .migrationsExecuted);
    Steps.step(
        "flyway clean",
        () -> {
          var f =
              org.flywaydb.core.Flyway.configure()
                  .cleanDisabled(false)
                  .dataSource(url, "root", "")
                  .baselineOnMigrate(true)
                  .baselineVersion("0")
                  .locations("filesystem:db/migration")
                  .load();
          var r = f.clean();
          return r.schemasCleaned.size();
        });
  }

  private static void liquibase(String url) {
    Steps.step(
        "liquibase",
        () -> {
          return liquibase.Scope.child(
              Map.of(liquibase.Scope.Attr.ui.name(), new liquibase.ui.LoggerUIService()),
              () -> {
                try (Connection c = DriverManager.getConnection(url, "root", "")) {
                  var db =
                      liquibase.database.DatabaseFactory.getInstance()
                          .findCorrectDatabaseImplementation(
                              new liquibase.database.jvm.JdbcConnection(c));
                  var l =
                      new liquibase.Liquibase(
                          "changelog.xml",
                          new liquibase.resource.DirectoryResourceAccessor(new java.io.File(".")),
                          db);
                  l.update(new liquibase.Contexts());
                  l.validate();
                  l.update(new liquibase.Contexts());
                  int n =
                      l.listUnrunChangeSets(
                              new liquibase.Contexts(), new liquibase.LabelExpression())
                          .size();
                  l.tag("t");
                  l.dropAll();
                  return n;
                }
              });
        });
  }
}
