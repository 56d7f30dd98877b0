package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What clients see of the endpoint's TLS, with certificates that it has made itself. */
@ExtendWith(Servers.Shared.class)
class TlsIT {
  private static final int LARGE = 20 << 20;

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
        try (Connection connection = Logins.connect(host, port, properties);
            Statement statement = connection.createStatement()) {
          assertEquals("TLSv1.3", Logins.status(statement, "Ssl_version"), properties);
          assertEquals(
              "TLS_AES_128_GCM_SHA256", Logins.status(statement, "Ssl_cipher"), properties);
        }
      }
    }
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      assertEquals("", Logins.status(statement, "Ssl_version"));
      assertEquals("", Logins.status(statement, "Ssl_cipher"));
      assertEquals("", Logins.status(statement, "Ssl_cipher_list"));
    }
    try (Connection connection =
            Logins.connect("localhost", port, "sslMode=REQUIRED&tlsVersions=TLSv1.2");
        Statement statement = connection.createStatement()) {
      assertEquals("TLSv1.2", Logins.status(statement, "Ssl_version"));
      assertEquals("ECDHE-ECDSA-AES128-GCM-SHA256", Logins.status(statement, "Ssl_cipher"));
    }
  }

  @Test
  void anotherCaIsNotTrusted(Servers servers) throws Exception {
    Path other = KeyTool.selfSigned(directory, "other", "RSA", "localhost").certificate();
    String trust = TrustStores.properties(directory.resolve("other.p12"), other);
    SQLException refused =
        assertThrows(
            SQLException.class,
            () ->
                Logins.connect("localhost", servers.cluster().port(), "sslMode=VERIFY_CA" + trust));
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
    try (Connection admin = Logins.connect("127.0.0.1", port, "sslMode=REQUIRED");
        Statement statement = admin.createStatement()) {
      assertEquals("0", Servers.only(statement, "SELECT @@require_secure_transport"));
      statement.execute("SET GLOBAL require_secure_transport = ON");
      try {
        assertEquals("1", Servers.only(statement, "SELECT @@GLOBAL.require_secure_transport"));
        assertEquals("ON", Logins.variable(statement, "require_secure_transport"));
        SQLException refused =
            assertThrows(
                SQLException.class, () -> Logins.connect("127.0.0.1", port, "sslMode=DISABLED"));
        assertEquals(3159, refused.getErrorCode());
        SQLException unknown =
            assertThrows(
                SQLException.class,
                () -> Logins.connect("127.0.0.1", port, "sslMode=DISABLED&user=nobody"));
        assertEquals(1045, unknown.getErrorCode());
        Logins.connect("127.0.0.1", port, "sslMode=REQUIRED").close();
      } finally {
        statement.execute("SET GLOBAL require_secure_transport = DEFAULT");
      }
      Logins.connect("127.0.0.1", port, "sslMode=DISABLED").close();
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
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=REQUIRED");
        Statement statement = connection.createStatement()) {
      assertEquals("TLSv1.2,TLSv1.3", Servers.only(statement, "SELECT @@tls_version"));
      assertEquals("TLSv1.2,TLSv1.3", Logins.status(statement, "Current_tls_version"));
      for (String name : List.of("ca", "cert", "key")) {
        String file = Logins.variable(statement, "ssl_" + name);
        assertTrue(Files.isRegularFile(Path.of(file)), file);
        assertEquals(file, Servers.only(statement, "SELECT @@GLOBAL.ssl_" + name));
        assertEquals(file, Logins.status(statement, "Current_tls_" + name));
        boolean secret = name.equals("key");
        assertEquals(
            secret ? "rw-------" : "rw-r--r--",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file))));
      }
      Path authorityKey =
          Path.of(Logins.variable(statement, "ssl_ca")).resolveSibling("ca-key.pem");
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(authorityKey)));
      assertTrue(Logins.status(statement, "Ssl_server_not_after").endsWith(" GMT"));
      long accepts = Long.parseLong(Logins.status(statement, "Ssl_finished_accepts"));
      Logins.connect("127.0.0.1", port, "sslMode=REQUIRED").close();
      assertEquals(accepts + 1, Long.parseLong(Logins.status(statement, "Ssl_finished_accepts")));
    }
  }

  @Test
  void largePacketsGoBothWays(Servers servers) throws Exception {
    byte[] large = new byte[LARGE];
    new Random(7).nextBytes(large);
    for (boolean prepared : List.of(false, true)) {
      try (Connection connection =
              Logins.connect(
                  "127.0.0.1",
                  servers.cluster().port(),
                  "sslMode=REQUIRED&useServerPrepStmts=" + prepared);
          PreparedStatement statement = connection.prepareStatement("SELECT ?, 'end'")) {
        Logins.assertComesBack(statement, large);
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
      Program.Ending ending = MysqlClient.run(directory, port, options, "\\s\n");
      assertEquals(0, ending.code(), ending.output());
      assertTrue(
          ending.output().contains("Cipher in use is TLS_AES_128_GCM_SHA256"), ending.output());
    }
    Program.Ending plain =
        MysqlClient.run(directory, port, List.of("--ssl-mode=DISABLED"), "\\s\n");
    assertEquals(0, plain.code(), plain.output());
    assertTrue(plain.output().contains("Not in use"), plain.output());
  }

  @Test
  void whatIsNoTlsEndsTheConnection(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      long aborted = Long.parseLong(Logins.status(statement, "Aborted_connects"));
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
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=REQUIRED");
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

  private static void await(Statement statement, String name, long atLeast) {
    ClusterProcess.await(name, () -> Logins.count(statement, name) >= atLeast);
  }

  private static Path authority(int port) throws SQLException {
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      return Path.of(Logins.variable(statement, "ssl_ca"));
    }
  }
}
