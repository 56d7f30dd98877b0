package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.e2e.Servers;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What clients see of the endpoint's TLS, with certificates that it has made itself. */
@ExtendWith(Servers.Shared.class)
class TlsIT {
  private static final int LARGE = 20 << 20;
  private static final int RUN_SECONDS = 60;

  @TempDir private Path directory;

  @Test
  void everySslModeOfConnectorJ(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Path authority = authority(port);
    String trust = TrustStores.properties(directory.resolve("own.p12"), authority);
    for (String properties :
        List.of(
            "sslMode=PREFERRED",
            "sslMode=REQUIRED",
            "sslMode=VERIFY_CA" + trust,
            "sslMode=VERIFY_IDENTITY" + trust)) {
      for (String host : List.of("127.0.0.1", "localhost")) {
        try (Connection connection = connect(host, port, properties);
            Statement statement = connection.createStatement()) {
          assertEquals("TLSv1.3", status(statement, "Ssl_version"), properties);
          assertEquals("TLS_AES_128_GCM_SHA256", status(statement, "Ssl_cipher"), properties);
        }
      }
    }
    try (Connection connection = connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      assertEquals("", status(statement, "Ssl_version"));
      assertEquals("", status(statement, "Ssl_cipher"));
      assertEquals("", status(statement, "Ssl_cipher_list"));
    }
    try (Connection connection =
            connect("localhost", port, "sslMode=REQUIRED&tlsVersions=TLSv1.2");
        Statement statement = connection.createStatement()) {
      assertEquals("TLSv1.2", status(statement, "Ssl_version"));
      assertEquals("ECDHE-ECDSA-AES128-GCM-SHA256", status(statement, "Ssl_cipher"));
    }
  }

  @Test
  void anotherCaIsNotTrusted(Servers servers) throws Exception {
    Path other = KeyTool.selfSigned(directory, "other", "RSA", "localhost").certificate();
    String trust = TrustStores.properties(directory.resolve("other.p12"), other);
    SQLException refused =
        assertThrows(
            SQLException.class,
            () -> connect("localhost", servers.cluster().port(), "sslMode=VERIFY_CA" + trust));
    assertTrue(causes(refused).contains("CertPath"), causes(refused));
  }

  private static String causes(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      all.append(cause).append('\n');
    }
    return all.toString();
  }

  @Test
  void whoHasNoTlsIsRefusedWhereItIsRequired(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection admin = connect("127.0.0.1", port, "sslMode=REQUIRED");
        Statement statement = admin.createStatement()) {
      assertEquals("0", Servers.only(statement, "SELECT @@require_secure_transport"));
      statement.execute("SET GLOBAL require_secure_transport = ON");
      try {
        assertEquals("1", Servers.only(statement, "SELECT @@GLOBAL.require_secure_transport"));
        assertEquals("ON", variable(statement, "require_secure_transport"));
        SQLException refused =
            assertThrows(SQLException.class, () -> connect("127.0.0.1", port, "sslMode=DISABLED"));
        assertEquals(3159, refused.getErrorCode());
        SQLException unknown =
            assertThrows(
                SQLException.class,
                () -> connect("127.0.0.1", port, "sslMode=DISABLED&user=nobody"));
        assertEquals(1045, unknown.getErrorCode());
        connect("127.0.0.1", port, "sslMode=REQUIRED").close();
      } finally {
        statement.execute("SET GLOBAL require_secure_transport = DEFAULT");
      }
      connect("127.0.0.1", port, "sslMode=DISABLED").close();
      for (Map.Entry<String, Integer> wrong :
          Map.of(
                  "SET require_secure_transport = 1", 1229,
                  "SET GLOBAL require_secure_transport = 2", 1231,
                  "SET PERSIST require_secure_transport = 1", 1235,
                  "SELECT @@SESSION.require_secure_transport", 1238,
                  "SET GLOBAL ssl_cert = 'x'", 1235,
                  "SELECT @@have_ssl", 1193)
              .entrySet()) {
        SQLException refused =
            assertThrows(SQLException.class, () -> statement.execute(wrong.getKey()));
        assertEquals(wrong.getValue(), refused.getErrorCode(), wrong.getKey());
      }
    }
  }

  @Test
  void variablesSayWhereTheFilesAre(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = connect("127.0.0.1", port, "sslMode=REQUIRED");
        Statement statement = connection.createStatement()) {
      assertEquals("TLSv1.2,TLSv1.3", Servers.only(statement, "SELECT @@tls_version"));
      assertEquals("TLSv1.2,TLSv1.3", status(statement, "Current_tls_version"));
      for (String name : List.of("ca", "cert", "key")) {
        String file = variable(statement, "ssl_" + name);
        assertTrue(Files.isRegularFile(Path.of(file)), file);
        assertEquals(file, Servers.only(statement, "SELECT @@GLOBAL.ssl_" + name));
        assertEquals(file, status(statement, "Current_tls_" + name));
        boolean secret = name.equals("key");
        assertEquals(
            secret ? "rw-------" : "rw-r--r--",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file))));
      }
      Path authorityKey = Path.of(variable(statement, "ssl_ca")).resolveSibling("ca-key.pem");
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(authorityKey)));
      assertTrue(status(statement, "Ssl_server_not_after").endsWith(" GMT"));
      long accepts = Long.parseLong(status(statement, "Ssl_finished_accepts"));
      connect("127.0.0.1", port, "sslMode=REQUIRED").close();
      assertEquals(accepts + 1, Long.parseLong(status(statement, "Ssl_finished_accepts")));
    }
  }

  @Test
  void largePacketsGoBothWays(Servers servers) throws Exception {
    byte[] large = new byte[LARGE];
    new Random(7).nextBytes(large);
    for (boolean prepared : List.of(false, true)) {
      try (Connection connection =
              connect(
                  "127.0.0.1",
                  servers.cluster().port(),
                  "sslMode=REQUIRED&useServerPrepStmts=" + prepared);
          PreparedStatement statement = connection.prepareStatement("SELECT ?, 'end'")) {
        statement.setBytes(1, large);
        try (ResultSet rows = statement.executeQuery()) {
          assertTrue(rows.next());
          assertArrayEquals(large, rows.getBytes(1));
          assertEquals("end", rows.getString(2));
          assertFalse(rows.next());
        }
      }
    }
  }

  @Test
  void theMysqlClientShowsTheCipher(Servers servers) throws Exception {
    int port = servers.cluster().port();
    String authority = "--ssl-ca=" + authority(port);
    for (List<String> options :
        List.of(
            List.<String>of(),
            List.of("--ssl-mode=REQUIRED"),
            List.of("--ssl-mode=VERIFY_CA", authority),
            List.of("--ssl-mode=VERIFY_IDENTITY", authority))) {
      Program.Ending ending = mysql(port, options);
      assertEquals(0, ending.code(), ending.output());
      assertTrue(
          ending.output().contains("Cipher in use is TLS_AES_128_GCM_SHA256"), ending.output());
    }
    Program.Ending plain = mysql(port, List.of("--ssl-mode=DISABLED"));
    assertEquals(0, plain.code(), plain.output());
    assertTrue(plain.output().contains("Not in use"), plain.output());
  }

  private Program.Ending mysql(int port, List<String> options) throws Exception {
    Optional<Path> client =
        MysqlInstallations.find(
                MysqlSearch.fromEnvironment(System.getenv()), InstallProgress.silent())
            .client();
    assumeTrue(client.isPresent(), "there is no mysql command line beside mysqld");
    Path input = directory.resolve("status.sql");
    Files.writeString(input, "\\s\n");
    List<String> command = new ArrayList<>();
    command.add(client.orElseThrow().toString());
    command.addAll(List.of("--no-defaults", "--commands", "-h127.0.0.1", "-P" + port, "-uroot"));
    command.addAll(options);
    return Program.run(directory, Map.of(), Optional.of(input), RUN_SECONDS, command);
  }

  @Test
  void whatIsNoTlsEndsTheConnection(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      long aborted = Long.parseLong(status(statement, "Aborted_connects"));
      byte[] garbage = new byte[70_000];
      new Random(3).nextBytes(garbage);
      byte[] response = RawClient.loginPacket(2);
      byte[] alert = {21, 3, 3, 0, 2, 2, 40};
      List<byte[]> all =
          List.of(
              "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
              garbage,
              response,
              alert,
              new byte[5]);
      for (byte[] bytes : all) {
        try (Socket socket = RawClient.connect(port)) {
          RawClient.send(socket, RawClient.sslRequest(), bytes);
          String answer = new String(RawClient.untilEnd(socket), StandardCharsets.ISO_8859_1);
          assertFalse(answer.contains("\0\0\0\2\0"), "it was let in");
        }
      }
      await(statement, "Aborted_connects", aborted + all.size());
      assertEquals("1", Servers.only(statement, "SELECT 1"));
    }
  }

  @Test
  void whatComesTogetherWithTheRequestForTlsIsTls(Servers servers) throws Exception {
    try (Socket socket = RawClient.tlsInOnePacket(servers.cluster().port(), "TLSv1.3")) {
      socket.getOutputStream().write(RawClient.loginPacket(2));
      byte[] answer = RawClient.packet(socket);
      assertEquals(3, answer[3], "sequence number");
      assertEquals(0, answer[4], "OK");
      socket.shutdownOutput(); // ends TLS; the connection below stays open
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void whoSaysNothingHasUntilConnectTimeout(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = connect("127.0.0.1", port, "sslMode=REQUIRED");
        Statement statement = connection.createStatement()) {
      String before = Servers.only(statement, "SELECT @@connect_timeout");
      statement.execute("SET GLOBAL connect_timeout = 2");
      try (Socket silent = RawClient.connect(port);
          Socket silentInTls = RawClient.connect(port)) {
        RawClient.send(silentInTls, RawClient.sslRequest());
        long begun = System.nanoTime();
        RawClient.untilEnd(silent);
        RawClient.untilEnd(silentInTls);
        long millis = (System.nanoTime() - begun) / 1_000_000;
        assertTrue(millis > 1_000 && millis < 8_000, millis + " ms");
      } finally {
        statement.execute("SET GLOBAL connect_timeout = " + before);
      }
      assertEquals("1", Servers.only(statement, "SELECT 1"));
    }
  }

  private static void await(Statement statement, String name, long atLeast) throws Exception {
    long end = System.nanoTime() + 10_000_000_000L;
    while (Long.parseLong(status(statement, name)) < atLeast) {
      assertTrue(System.nanoTime() < end, name + " stays at " + status(statement, name));
      Thread.sleep(20);
    }
  }

  private static Connection connect(String host, int port, String properties) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://"
            + host
            + ":"
            + port
            + "/?"
            + (properties.contains("user=") ? "" : "user=root&")
            + properties);
  }

  private static Path authority(int port) throws SQLException {
    try (Connection connection = connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      return Path.of(variable(statement, "ssl_ca"));
    }
  }

  private static String status(Statement statement, String name) throws SQLException {
    return second(statement, "SHOW STATUS LIKE '" + name + "'");
  }

  private static String variable(Statement statement, String name) throws SQLException {
    return second(statement, "SHOW VARIABLES LIKE '" + name + "'");
  }

  private static String second(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next(), sql);
      return rows.getString(2);
    }
  }
}
