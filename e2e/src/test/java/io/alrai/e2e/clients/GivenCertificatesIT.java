package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that the command line is given, and its other options for TLS. */
class GivenCertificatesIT {
  @TempDir private Path directory;

  @Test
  void everyCnHasThem() throws Exception {
    KeyTool.Made made = KeyTool.selfSigned(directory, "given", "RSA", "localhost");
    String trust = TrustStores.properties(directory.resolve("given.p12"), made.certificate());
    try (ClusterProcess cluster =
        ClusterProcess.up(
            List.of(),
            "--dns",
            "1",
            "--processes",
            "--cns",
            "2",
            "--tls",
            "required",
            "--tls-cert",
            made.certificate().toString(),
            "--tls-key",
            made.key().toString(),
            "--tls-ca",
            made.certificate().toString())) {
      for (int port = cluster.port(); port < cluster.port() + 2; port++) {
        try (Connection connection = connect(port, "sslMode=VERIFY_IDENTITY" + trust);
            Statement statement = connection.createStatement()) {
          assertEquals("1", Servers.only(statement, "SELECT @@require_secure_transport"));
          assertEquals(made.certificate().toString(), Servers.only(statement, "SELECT @@ssl_cert"));
          assertEquals(made.certificate().toString(), Servers.only(statement, "SELECT @@ssl_ca"));
          assertEquals(made.key().toString(), Servers.only(statement, "SELECT @@ssl_key"));
        }
        try (SSLSocket again = RawClient.tlsInOnePacket(port, "TLSv1.2")) {
          again.startHandshake();
          assertThrows(SSLException.class, () -> again.getInputStream().read());
        }
        int plain = port;
        SQLException refused =
            assertThrows(SQLException.class, () -> connect(plain, "sslMode=DISABLED"));
        assertEquals(3159, refused.getErrorCode());
      }
      assertFalse(Files.exists(cluster.directory().resolve("tls")));
    }
  }

  @Test
  void noTlsAtAllAndFilesThatAreWrong() throws Exception {
    KeyTool.Made made = KeyTool.selfSigned(directory, "one", "EC", "localhost");
    KeyTool.Made other = KeyTool.selfSigned(directory, "other", "EC", "localhost");
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "1", "--tls", "no")) {
      SQLException refused =
          assertThrows(SQLException.class, () -> connect(cluster.port(), "sslMode=REQUIRED"));
      assertEquals("08001", refused.getSQLState(), refused.getMessage());
      try (Connection connection = connect(cluster.port(), "sslMode=PREFERRED");
          Statement statement = connection.createStatement()) {
        assertNull(Servers.only(statement, "SELECT @@ssl_cert"));
        SQLException nobodyCould =
            assertThrows(
                SQLException.class,
                () -> statement.execute("SET GLOBAL require_secure_transport = ON"));
        assertEquals(3160, nobodyCould.getErrorCode());
      }
      assertFalse(Files.exists(cluster.directory().resolve("tls")));
      for (String kind : List.of("--dns=1", "--processes")) {
        String data = directory.resolve("not-started" + kind).toString();
        assertEquals(
            1,
            cluster.another(
                kind,
                "--data",
                data,
                "--tls-cert",
                made.certificate().toString(),
                "--tls-key",
                other.key().toString()));
        String said = cluster.outputOfAnother().strip().lines().toList().getLast();
        assertTrue(
            said.endsWith(
                "TLS cannot be had: "
                    + other.key()
                    + " has not the key that the certificate in "
                    + made.certificate()
                    + " is of"),
            said);
      }
    }
  }

  private static Connection connect(int port, String properties) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://localhost:" + port + "/?user=root&" + properties);
  }
}
