package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.MysqldException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MysqlVersionTest {
  @Test
  void readsWhatServersPrint() {
    assertEquals(new MysqlVersion(8, 4, 6), MysqlVersion.ofServerOutput(FakeProgram.MYSQL_8_4));
    assertEquals(
        new MysqlVersion(9, 7, 4),
        MysqlVersion.ofServerOutput("/x/mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))\n"));
    assertEquals(
        new MysqlVersion(8, 4, 0),
        MysqlVersion.ofServerOutput("mysqld  Ver 8.4.0-1 for Linux on x86_64 (Percona Server)"));
    assertEquals(
        new MysqlVersion(10, 0, 1),
        MysqlVersion.ofServerOutput("mysqld  Ver 10.0.1-debug for macos15 on arm64"));
  }

  @Test
  void refusesMariaDbWhateverItsNumber() {
    MysqldException refused =
        assertThrows(MysqldException.class, () -> MysqlVersion.ofServerOutput(FakeProgram.MARIADB));
    assertEquals(Reason.UNSUITABLE, refused.reason());
    assertTrue(refused.sentence().contains("MariaDB 10.11.14"), refused.sentence());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.3.99", "8.0.43", "5.7.44", "7.99.99"})
  void refusesOlder(String version) {
    MysqldException refused =
        assertThrows(
            MysqldException.class,
            () -> MysqlVersion.ofServerOutput("mysqld  Ver " + version + " for Linux on x86_64"));
    assertEquals(Reason.UNSUITABLE, refused.reason());
    assertTrue(refused.sentence().contains("MySQL " + version), refused.sentence());
    assertTrue(refused.sentence().contains("8.4.0 or newer"), refused.sentence());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "command not found", "Ver nine", "Ver 99999999999.1.1"})
  void refusesWhatIsNoVersion(String output) {
    MysqldException refused =
        assertThrows(MysqldException.class, () -> MysqlVersion.ofServerOutput(output));
    assertEquals(Reason.UNSUITABLE, refused.reason());
  }

  @Test
  void isOrderedByNumberNotByText() {
    assertTrue(new MysqlVersion(8, 10, 0).compareTo(new MysqlVersion(8, 9, 9)) > 0);
    assertTrue(new MysqlVersion(9, 0, 0).compareTo(new MysqlVersion(8, 99, 99)) > 0);
    assertTrue(new MysqlVersion(9, 7, 4).compareTo(new MysqlVersion(9, 7, 10)) < 0);
    assertEquals(0, new MysqlVersion(9, 7, 4).compareTo(new MysqlVersion(9, 7, 4)));
  }
}
