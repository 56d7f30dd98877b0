package io.alrai.dn.replica;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Statements of every kind that is logged, each for objects of its own. */
final class WaitingStatements {
  private static final String TABLE =
      "CREATE TABLE %t (id INT PRIMARY KEY AUTO_INCREMENT, a INT NOT NULL, b VARCHAR(20), KEY (b));"
          + "INSERT INTO %t (a,b) VALUES (1,'x'),(2,'y'),(3,'z')";
  private static final String PARTS =
      "CREATE TABLE %t (id INT PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN"
          + " (10), PARTITION p1 VALUES LESS THAN (20));INSERT INTO %t VALUES (1),(11)";
  private static final String MYISAM =
      ";CREATE TABLE %t_m (id INT PRIMARY KEY) ENGINE=MyISAM;INSERT INTO %t_m VALUES (1)";
  private static final String BRANCH = "XA START '%n';INSERT INTO %t (a) VALUES (9);XA END '%n'";

  /**
   * A statement, and what it needs.
   *
   * @param setup makes its objects: %t is a table that nobody else uses, %n a name
   * @param prelude runs before it on its connection; empty for nothing
   */
  record Waiting(String setup, String prelude, String statement) {
    private Waiting named(int number) {
      String name = "s%02d".formatted(number);
      return new Waiting(fill(setup, name), fill(prelude, name), fill(statement, name));
    }

    private static String fill(String sql, String name) {
      return sql.replace("%t", "f." + name).replace("%n", name);
    }
  }

  private WaitingStatements() {}

  private static Waiting on(String setup, String statement) {
    return new Waiting(setup, "", statement);
  }

  private static Waiting table(String statement) {
    return on(TABLE, statement);
  }

  private static List<Waiting> named(int first, List<Waiting> statements) {
    return IntStream.range(0, statements.size())
        .mapToObj(i -> statements.get(i).named(first + i))
        .toList();
  }

  /** Of which nothing is left when the log is gone. */
  static List<Waiting> transactional() {
    return Stream.of(ofTables(), ofPartitions(), ofOtherObjects()).flatMap(List::stream).toList();
  }

  private static List<Waiting> ofTables() {
    return named(
        0,
        List.of(
            table("INSERT INTO %t (a) VALUES (9)"),
            table("UPDATE %t SET a=a+1"),
            table("DELETE FROM %t"),
            new Waiting(TABLE, BRANCH, "XA PREPARE '%n'"),
            on(TABLE + ";" + BRANCH + ";XA PREPARE '%n'", "XA COMMIT '%n'"),
            on(TABLE + ";" + BRANCH + ";XA PREPARE '%n'", "XA ROLLBACK '%n'"),
            new Waiting(TABLE, BRANCH, "XA COMMIT '%n' ONE PHASE"),
            table("CREATE TABLE %t_new (id INT PRIMARY KEY)"),
            table("CREATE TABLE %t_new AS SELECT * FROM %t"),
            table("CREATE TABLE %t_new LIKE %t"),
            table("DROP TABLE %t"),
            on(TABLE + ";CREATE TABLE %t_2 LIKE %t", "DROP TABLE %t,%t_2"),
            table("ALTER TABLE %t ADD COLUMN c INT, ALGORITHM=INSTANT"),
            table("ALTER TABLE %t DROP COLUMN a, ALGORITHM=INSTANT"),
            table("ALTER TABLE %t RENAME COLUMN a TO z, ALGORITHM=INSTANT"),
            table("ALTER TABLE %t ADD INDEX (a), ALGORITHM=INPLACE"),
            table("ALTER TABLE %t DROP INDEX b, ALGORITHM=INPLACE"),
            table("ALTER TABLE %t FORCE, ALGORITHM=INPLACE"),
            table("ALTER TABLE %t DROP PRIMARY KEY, ADD PRIMARY KEY (id,a), ALGORITHM=INPLACE"),
            table("ALTER TABLE %t MODIFY a BIGINT NOT NULL, ALGORITHM=COPY"),
            on(
                TABLE
                    + ";CREATE TABLE %t_c (p INT, CONSTRAINT %n FOREIGN KEY (p) REFERENCES %t (id))",
                "ALTER TABLE %t_c DROP FOREIGN KEY %n, ADD COLUMN c INT"),
            table("ALTER TABLE %t ADD FULLTEXT (b)"),
            table("ALTER TABLE %t AUTO_INCREMENT=100")));
  }

  private static List<Waiting> ofPartitions() {
    return named(
        30,
        List.of(
            on(
                PARTS,
                "ALTER TABLE %t REORGANIZE PARTITION p1 INTO (PARTITION p2 VALUES LESS THAN (15),"
                    + " PARTITION p3 VALUES LESS THAN (20))"),
            on(PARTS, "ALTER TABLE %t DROP PARTITION p0"),
            on(PARTS, "ALTER TABLE %t TRUNCATE PARTITION p0"),
            on(
                PARTS + ";CREATE TABLE %t_x (id INT PRIMARY KEY)",
                "ALTER TABLE %t EXCHANGE PARTITION p0 WITH TABLE %t_x"),
            table("TRUNCATE TABLE %t"),
            table("RENAME TABLE %t TO %t_r"),
            on(
                TABLE + ";CREATE TABLE %t_2 LIKE %t;CREATE DATABASE f_%n",
                "RENAME TABLE %t TO f_%n.a, %t_2 TO f_%n.b")));
  }

  private static List<Waiting> ofOtherObjects() {
    return named(
        40,
        List.of(
            on("DO 1", "CREATE DATABASE f_%n"),
            on("CREATE DATABASE f_%n", "DROP DATABASE f_%n"),
            on(
                "CREATE DATABASE f_%n;CREATE TABLE f_%n.t (id INT PRIMARY KEY);CREATE VIEW f_%n.v AS"
                    + " SELECT 1;CREATE PROCEDURE f_%n.p () SELECT 1",
                "DROP DATABASE f_%n"),
            on("CREATE DATABASE f_%n", "ALTER DATABASE f_%n CHARACTER SET latin1"),
            table("CREATE VIEW %t_v AS SELECT a FROM %t"),
            on(TABLE + ";CREATE VIEW %t_v AS SELECT a FROM %t", "ALTER VIEW %t_v AS SELECT 2"),
            on(TABLE + ";CREATE VIEW %t_v AS SELECT a FROM %t", "DROP VIEW %t_v"),
            table("CREATE TRIGGER %t_g BEFORE INSERT ON %t FOR EACH ROW SET NEW.a=1"),
            on(
                TABLE + ";CREATE TRIGGER %t_g BEFORE INSERT ON %t FOR EACH ROW SET NEW.a=1",
                "DROP TRIGGER %t_g"),
            on("DO 1", "CREATE PROCEDURE %t_p () SELECT 1"),
            on("CREATE PROCEDURE %t_p () SELECT 1", "DROP PROCEDURE %t_p"),
            on("DO 1", "CREATE EVENT %t_e ON SCHEDULE EVERY 1 DAY DO SELECT 1"),
            table("ANALYZE TABLE %t"),
            on("DO 1", "CREATE TABLESPACE f_%n ADD DATAFILE 'f_%n.ibd'")));
  }

  /** They hold a lock while they wait, without which nobody logs in. */
  static List<Waiting> ofAccounts() {
    return named(
        70,
        List.of(
            on("DO 1", "CREATE USER %n IDENTIFIED BY 'x'"),
            on("CREATE USER %n", "ALTER USER %n ACCOUNT LOCK"),
            on("CREATE USER %n", "DROP USER %n"),
            on(TABLE + ";CREATE USER %n", "GRANT SELECT ON %t TO %n"),
            on("CREATE USER %n;CREATE ROLE %n_r", "GRANT %n_r TO %n"),
            on("CREATE USER %n;GRANT SELECT ON f.* TO %n", "REVOKE SELECT ON f.* FROM %n"),
            on("DO 1", "CREATE ROLE %n"),
            on("CREATE USER %n;CREATE ROLE %n_r;GRANT %n_r TO %n", "SET DEFAULT ROLE %n_r TO %n")));
  }

  /** Of which something stays. */
  static List<Waiting> others() {
    return named(
        90,
        List.of(
            table("OPTIMIZE TABLE %t"),
            on(TABLE + MYISAM, "INSERT INTO %t_m VALUES (2)"),
            on(TABLE + MYISAM, "ALTER TABLE %t_m ENGINE=InnoDB"),
            on(TABLE + MYISAM, "DROP TABLE %t,%t_m")));
  }
}
