package io.alrai.optimizer.api.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.parse.ddl.DdlParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTablesTest {
  private static final Table EVERYWHERE =
      new Table(
          1,
          "s",
          "rates",
          List.of(),
          List.of("a"),
          List.of(),
          false,
          new Partitioning.Broadcast(),
          1,
          List.of(),
          List.of(),
          false,
          false);
  private static final Schema SCHEMA =
      new Schema("s", "utf8mb4", "x", 1, Map.of("rates", EVERYWHERE), Map.of(), Map.of());
  private static final Catalog CATALOG =
      new Catalog(1, Map.of("s", SCHEMA), List.of(), List.of(), Map.of(), Map.of(), Map.of());

  private static TriggerBody body(String text) {
    String sql = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW " + text;
    return assertInstanceOf(
            DdlStatement.CreateTrigger.class, DdlParser.parse(sql).orElseThrow(), sql)
        .body();
  }

  /** {@code log:INSERT+UPDATE, other:SELECT}. */
  private static String touched(String text) {
    List<String> found = new ArrayList<>();
    for (TouchedTable touched : BodyTables.of(body(text)).touched(CATALOG, "s")) {
      String privileges =
          List.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE).stream()
              .filter(touched::has)
              .map(Privilege::name)
              .collect(Collectors.joining("+"));
      found.add(touched.name() + ":" + privileges + (touched.broadcast() ? " everywhere" : ""));
    }
    return String.join(", ", found.stream().sorted().toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO u VALUES (NEW.a)                             | u:INSERT",
        "INSERT INTO `user` (id) VALUES (1), (2)                  | user:INSERT",
        "INSERT IGNORE now (a) VALUE (NEW.a)                      | now:INSERT",
        "INSERT u SET a = NEW.a                                   | u:INSERT",
        "REPLACE u (a) VALUES (1)                                 | u:INSERT+DELETE",
        "REPLACE INTO u SELECT a FROM v                           | u:INSERT+DELETE, v:SELECT",
        "INSERT INTO u VALUES (1) ON DUPLICATE KEY UPDATE n = n + 1 | u:SELECT+INSERT+UPDATE",
        "INSERT INTO u SELECT 1 ON DUPLICATE KEY UPDATE n = 1     | u:SELECT+INSERT+UPDATE",
        "INSERT INTO u (a) VALUES ((SELECT MAX(b) FROM v), NEW.a) | u:INSERT, v:SELECT",
        "INSERT INTO u (a) TABLE v                                | u:INSERT, v:SELECT",
        "INSERT INTO u (a) (SELECT b FROM v)                      | u:INSERT, v:SELECT",
        "UPDATE u SET a = NEW.a                                   | u:UPDATE",
        "UPDATE u SET a = NEW.a WHERE b = OLD.b                   | u:SELECT+UPDATE",
        "UPDATE u SET a = a + 1                                   | u:SELECT+UPDATE",
        "UPDATE u JOIN v USING (a) SET u.b = 1                    | u:SELECT+UPDATE, v:SELECT+UPDATE",
        "UPDATE u SET a = (SELECT b FROM v LIMIT 1)               | u:SELECT+UPDATE, v:SELECT",
        "DELETE FROM u                                            | u:DELETE",
        "DELETE FROM u WHERE p = OLD.a                            | u:SELECT+DELETE",
        "DELETE x FROM u x JOIN v ON x.a = v.a                    | u:SELECT+DELETE, v:SELECT",
        "SET NEW.a = (SELECT MAX(a) FROM u)                       | u:SELECT",
        "SET NEW.a = EXTRACT(YEAR FROM (SELECT a FROM u))         | u:SELECT",
        "SET NEW.a = TRIM((SELECT a FROM u))                      | u:SELECT",
        "SET NEW.a = (TABLE u)                                    | u:SELECT",
        "IF EXISTS (SELECT 1 FROM u WHERE a = NEW.a) THEN DELETE FROM v; END IF | u:SELECT, v:DELETE",
        "SET NEW.a = (WITH c AS (SELECT a FROM u) SELECT MAX(a) FROM c) | u:SELECT",
        "SET NEW.a = (SELECT price FROM rates WHERE code = NEW.b) | rates:SELECT everywhere",
        "SET NEW.a = (SELECT 1 FROM DUAL)                         | ''",
        "SET NEW.a = EXTRACT(YEAR FROM NEW.b)                     | ''",
      })
  void whatABodyDoes(String text, String expected) {
    assertEquals(expected, touched(text), text);
  }

  @Test
  void variablesAreNoColumns() {
    String declared = "BEGIN DECLARE n, `Until` INT; ";
    assertEquals("u:UPDATE", touched(declared + "UPDATE u SET a = N + 1; END"));
    assertEquals("u:SELECT+UPDATE", touched(declared + "UPDATE u SET a = u.n + 1; END"));
    assertEquals("u:DELETE", touched(declared + "DELETE FROM u LIMIT `until`; END"));
    assertEquals(
        "u:SELECT", touched(declared + "SELECT a INTO n FROM u WHERE b = n LIMIT n, `until`; END"));
    assertEquals("u:SELECT+UPDATE", touched(declared + "SELECT a INTO n FROM u FOR UPDATE; END"));
    assertEquals(
        "u:SELECT, v:DELETE",
        touched(
            declared
                + "DECLARE c CURSOR FOR SELECT a FROM u; DECLARE EXIT HANDLER FOR NOT FOUND DELETE"
                + " FROM v; OPEN c; FETCH c INTO n; CLOSE c; END"));
  }

  @Test
  void namesWhereTheRowsAre() {
    TriggerBody body =
        body(
            "begin insert into s.`log` (a, w) values (new.a, current_user); update s . u x set x.b"
                + " = (select p from rates r where r.a = x.a); delete from s.u; end");
    assertEquals(
        "begin insert into `log` (a, w) values (new.a, (_utf8mb4 0x614062)); update `u` x set x.b"
            + " = (select p from `s_b`.`rates` r where r.a = x.a); delete from `u`; end",
        body.at("a@b", "s", BodyTables.of(body).edits(CATALOG, SCHEMA)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO o.u VALUES (1)",
        "INSERT INTO s_p00001.u VALUES (1)",
        "UPDATE u JOIN mysql.user SET a = 1",
        "SET NEW.a = (SELECT COUNT(*) FROM information_schema.tables)",
        "DELETE s.u FROM s.u JOIN s.v",
        "UPDATE u SET SET a = 1",
        "INSERT INTO u PARTITION (p0) VALUES (1)",
      })
  void whatIsRefused(String text) {
    AlraiException refusal = assertThrows(AlraiException.class, () -> touched(text), text);
    assertEquals(1235, refusal.errno(), text);
  }
}
