package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.common.wire.Scramble;
import io.alrai.e2e.Servers;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.PlainMysqld;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Passwords as caching_sha2_password keeps them: asked for once at each CN, proved from then on.
 */
class PasswordsIT {
  private static final String PLAIN = "sslMode=DISABLED";
  private static final String KEY = "sslMode=DISABLED&allowPublicKeyRetrieval=true";
  private static final String TLS = "sslMode=REQUIRED";

  @TempDir private Path directory;

  private static void login(int port, String user, String password, String properties)
      throws SQLException {
    String who = "user=" + user + "&password=" + password + "&";
    try (Connection connection = Logins.connect("127.0.0.1", port, who + properties);
        Statement statement = connection.createStatement()) {
      assertEquals(user, Servers.only(statement, "SELECT SUBSTRING_INDEX(USER(), '@', 1)"));
    }
  }

  private static SQLException refused(int port, String user, String password, String properties) {
    return assertThrows(SQLException.class, () -> login(port, user, password, properties));
  }

  private static void denied(int port, String user, String password, String properties) {
    assertEquals(1045, refused(port, user, password, properties).getErrorCode());
  }

  @Test
  void withTlsAndWithout() throws Exception {
    try (MiniCluster cluster = MiniCluster.start(1)) {
      int port = cluster.port();
      try (Connection root = cluster.connect("")) {
        Servers.run(root, "CREATE USER ann IDENTIFIED BY 'p4ss'");
        assertTrue(refused(port, "ann", "p4ss", PLAIN).getMessage().contains("Public Key"));
        denied(port, "ann", "wrong", KEY);
        denied(port, "ann", "wrong", TLS);
        login(port, "ann", "p4ss", KEY);
        login(port, "ann", "p4ss", PLAIN);
        Servers.run(root, "FLUSH PRIVILEGES");
        assertTrue(refused(port, "ann", "p4ss", PLAIN).getMessage().contains("Public Key"));
        login(port, "ann", "p4ss", TLS);
        login(port, "ann", "p4ss", PLAIN);
        changed(port, root);
        needsTls(port, root);
        changesUser(port, root);
        Servers.run(root, "CREATE USER eve IDENTIFIED BY 'p4ss'");
      }
      mysqlClient(port);
      nothingIsWritten(cluster, "p4ss", "n3w", "x");
      cluster.restart();
      nothingIsWritten(cluster, "p4ss", "n3w", "x");
      assertTrue(refused(cluster.port(), "eve", "p4ss", PLAIN).getMessage().contains("Public Key"));
      denied(cluster.port(), "eve", "old", TLS);
      login(cluster.port(), "eve", "p4ss", KEY);
    }
  }

  /** Neither log nor snapshots of the GMS have what is quickly tried or logs in by itself. */
  private static void nothingIsWritten(MiniCluster cluster, String... passwords)
      throws IOException {
    Path socket = cluster.cluster().agents().getFirst().supervisor().socketPath();
    Path data = socket.resolve("../..").normalize().resolve("gms");
    List<Path> files;
    try (Stream<Path> all = Files.walk(data)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    StringBuilder written = new StringBuilder();
    for (Path file : files) {
      written.append(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    assertTrue(written.indexOf("$A$00A$") > 0, () -> files + " have no account");
    for (String password : passwords) {
      for (String plugin : List.of(Scramble.NATIVE, Scramble.SHA2)) {
        String digest = Scramble.digest(plugin, password.getBytes(StandardCharsets.UTF_8));
        assertEquals(-1, written.indexOf(digest), password);
      }
    }
  }

  private static void changed(int port, Connection root) throws SQLException {
    Servers.run(root, "ALTER USER ann IDENTIFIED BY 'n3w'");
    denied(port, "ann", "p4ss", KEY);
    login(port, "ann", "n3w", KEY);
    Servers.run(root, "RENAME USER ann TO bob");
    denied(port, "ann", "n3w", KEY);
    login(port, "bob", "n3w", KEY);
    Servers.run(root, "DROP USER bob", "CREATE USER bob IDENTIFIED BY 'else'");
    denied(port, "bob", "n3w", KEY);
    login(port, "bob", "else", KEY);
    Servers.run(root, "ALTER USER bob ACCOUNT LOCK");
    assertEquals(3118, refused(port, "bob", "else", KEY).getErrorCode());
    Servers.run(root, "ALTER USER bob ACCOUNT UNLOCK PASSWORD EXPIRE");
    assertEquals(1862, refused(port, "bob", "else", KEY).getErrorCode());
    Servers.run(root, "DROP USER bob", "CREATE USER ann");
    login(port, "ann", "", PLAIN);
    denied(port, "ann", "x", KEY);
    Servers.run(root, "DROP USER ann");
  }

  private static void needsTls(int port, Connection root) throws SQLException {
    Servers.run(root, "CREATE USER tim IDENTIFIED BY 'x' REQUIRE SSL");
    denied(port, "tim", "x", KEY);
    login(port, "tim", "x", TLS);
    denied(port, "tim", "x", PLAIN);
    Servers.run(root, "ALTER USER tim REQUIRE NONE");
    login(port, "tim", "x", PLAIN);
    Servers.run(root, "DROP USER tim");
  }

  private static void changesUser(int port, Connection root) throws SQLException {
    Servers.run(root, "CREATE USER dan IDENTIFIED BY 'd', eli IDENTIFIED BY 'e'");
    for (String properties : List.of(KEY, TLS)) {
      String who = "user=dan&password=d&";
      try (Connection connection = Logins.connect("127.0.0.1", port, who + properties);
          Statement statement = connection.createStatement()) {
        Servers.run(root, "FLUSH PRIVILEGES");
        JdbcConnection session = connection.unwrap(JdbcConnection.class);
        session.changeUser("eli", "e");
        assertEquals("eli@%", Servers.only(statement, "SELECT CURRENT_USER()"));
        session.changeUser("dan", "d");
        session.changeUser("eli", "e");
        assertThrows(SQLException.class, () -> session.changeUser("dan", "wrong"));
      }
    }
    Servers.run(root, "DROP USER dan, eli");
  }

  private void mysqlClient(int port) throws Exception {
    List<String> plain = List.of("--ssl-mode=DISABLED", "-ueve", "-pp4ss");
    Program.Ending without = MysqlClient.run(directory, port, plain, "SELECT USER();");
    assertTrue(without.output().contains("requires secure connection"), without.output());
    List<String> key = List.of("--ssl-mode=DISABLED", "--get-server-public-key", "-ueve", "-pp4ss");
    Program.Ending retrieved = MysqlClient.run(directory, port, key, "SELECT USER();");
    assertTrue(retrieved.output().contains("eve@127.0.0.1"), retrieved.output());
    Program.Ending known = MysqlClient.run(directory, port, plain, "SELECT USER();");
    assertTrue(known.output().contains("eve@127.0.0.1"), known.output());
    List<String> tls = List.of("--ssl-mode=REQUIRED", "-ueve", "-pold");
    Program.Ending wrong = MysqlClient.run(directory, port, tls, "SELECT USER();");
    assertTrue(wrong.output().contains("ERROR 1045"), wrong.output());
  }

  @Test
  void hashesGoBetweenAlraiAndAMysqld() throws Exception {
    try (PlainMysqld plain = PlainMysqld.start();
        MiniCluster cluster = MiniCluster.start(1);
        Connection there = MiniCluster.connect(plain.port(), "", "");
        Connection here = cluster.connect("")) {
      Servers.run(there, "CREATE USER there IDENTIFIED BY 'thére'");
      Servers.run(here, "CREATE USER here IDENTIFIED BY 'hére'");
      for (String hex : List.of("OFF", "ON")) {
        Servers.run(there, "SET print_identified_with_as_hex = " + hex);
        Servers.run(here, "SET print_identified_with_as_hex = " + hex);
        for (int i = 0; i < 8; i++) {
          Servers.run(here, "DROP USER IF EXISTS there", shown(there, "there"));
          Servers.run(there, "DROP USER IF EXISTS here", shown(here, "here"));
          assertEquals(shown(there, "there"), shown(here, "there"));
          assertEquals(shown(here, "here"), shown(there, "here"));
          login(cluster.port(), "there", "th%C3%A9re", KEY);
          login(plain.port(), "here", "h%C3%A9re", KEY);
          denied(cluster.port(), "there", "hex", KEY);
          Servers.run(there, "ALTER USER there IDENTIFIED BY 'thére'");
          Servers.run(here, "ALTER USER here IDENTIFIED BY 'hére'");
        }
      }
    }
  }

  private static String shown(Connection connection, String user) throws SQLException {
    return Servers.column(connection, "SHOW CREATE USER " + user).getFirst();
  }

  /** As a catalog of an older version has it, which kept an unsalted digest. */
  @Test
  void passwordsOfAnOlderVersionGetTheirSalt() throws Exception {
    try (MiniCluster cluster = MiniCluster.start(1)) {
      String digest = Scramble.digest(Scramble.SHA2, "p4ss".getBytes(StandardCharsets.UTF_8));
      cluster
          .cluster()
          .gms()
          .submit(
              new CatalogCommand.PutAccount(
                  Account.of("old", "%", Credential.old(digest), false, Grants.NONE)));
      int port = cluster.port();
      login(port, "old", "p4ss", PLAIN);
      denied(port, "old", "wrong", TLS);
      denied(port, "old", "wrong", KEY);
      try (Connection root = cluster.connect("")) {
        assertTrue(shown(root, "old").contains("'$ALRAI$$" + digest), shown(root, "old"));
        login(port, "old", "p4ss", TLS);
        ClusterProcess.await("a salt", () -> isSalted(root));
        assertFalse(shown(root, "old").contains(digest));
      }
      cluster.restart();
      denied(cluster.port(), "old", "wrong", TLS);
      login(cluster.port(), "old", "p4ss", TLS);
      login(cluster.port(), "old", "p4ss", PLAIN);
    }
  }

  private static boolean isSalted(Connection root) {
    try {
      return shown(root, "old").contains("AS '$A$00A$");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void eachCnAsksForItself() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(
            List.of(), "--dns", "1", "--processes", "--cns", "2", "--native-passwords")) {
      int one = cluster.port();
      int two = cluster.port() + 1;
      try (Connection root = MiniCluster.connect(one, "", "")) {
        Servers.run(root, "CREATE USER ann IDENTIFIED BY 'x'");
        login(one, "ann", "x", TLS);
        login(one, "ann", "x", PLAIN);
        assertTrue(refused(two, "ann", "x", PLAIN).getMessage().contains("Public Key"));
        login(two, "ann", "x", KEY);
        login(two, "ann", "x", PLAIN);
        Servers.run(root, "ALTER USER ann IDENTIFIED BY 'y'");
        for (int port : List.of(one, two)) {
          denied(port, "ann", "x", KEY);
          login(port, "ann", "y", KEY);
        }
        Servers.run(
            root,
            "CREATE USER sha1 IDENTIFIED WITH mysql_native_password BY 'x'",
            "ALTER USER sha1 IDENTIFIED BY 'y'");
        for (int port : List.of(one, two)) {
          login(port, "sha1", "y", PLAIN);
          denied(port, "sha1", "x", PLAIN);
        }
        assertTrue(
            shown(root, "sha1").contains("'mysql_native_password' AS '*"), shown(root, "sha1"));
      }
    }
  }
}
