package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Connections whose packets are compressed. */
@ExtendWith(Servers.Shared.class)
class CompressionIT {
  private static final int LARGE = 20 << 20;

  @TempDir private Path directory;

  @Test
  void connectorJSpeaksZlib(Servers servers) throws Exception {
    int port = servers.cluster().port();
    for (String ssl : List.of("DISABLED", "REQUIRED")) {
      String properties = "useCompression=true&sslMode=" + ssl;
      try (Connection connection = Logins.connect("127.0.0.1", port, properties);
          Statement statement = connection.createStatement()) {
        assertEquals("ON", Logins.status(statement, "Compression"));
        assertEquals("zlib", Logins.status(statement, "Compression_algorithm"));
        assertEquals("6", Logins.status(statement, "Compression_level"));
      }
    }
    try (Connection connection = Logins.connect("127.0.0.1", port, "sslMode=DISABLED");
        Statement statement = connection.createStatement()) {
      assertEquals("OFF", Logins.status(statement, "Compression"));
      assertEquals("", Logins.status(statement, "Compression_algorithm"));
      assertEquals("0", Logins.status(statement, "Compression_level"));
    }
  }

  @Test
  void largePacketsGoBothWays(Servers servers) throws Exception {
    byte[] noise = new byte[LARGE];
    new Random(7).nextBytes(noise);
    for (byte[] large : List.of(noise, new byte[LARGE])) {
      for (boolean prepared : List.of(false, true)) {
        if (prepared && large == noise) {
          continue; // Connector/J 9.7.0 sends other bytes, to a plain mysqld too
        }
        String properties = "sslMode=DISABLED&useCompression=true&useServerPrepStmts=" + prepared;
        try (Connection connection =
                Logins.connect("127.0.0.1", servers.cluster().port(), properties);
            PreparedStatement statement = connection.prepareStatement("SELECT ?, 'end'")) {
          Logins.assertComesBack(statement, large);
        }
      }
    }
  }

  @Test
  void theMysqlClientSpeaksBoth(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Path rows = Files.createTempFile(directory, "rows", ".csv");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append(i).append("\ttext of row ").append(i).append('\n');
    }
    Files.writeString(rows, lines);
    String input =
        "DROP DATABASE IF EXISTS compressed; CREATE DATABASE compressed; USE compressed;\n"
            + "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(40));\n"
            + "LOAD DATA LOCAL INFILE '"
            + rows
            + "' INTO TABLE t;\n"
            + "SELECT a, b FROM t ORDER BY a;\n"
            + "SELECT CONCAT(COUNT(*), ' rows, ', SUM(a)) FROM t; SHOW STATUS LIKE 'Compression%';\n";
    for (String ssl : List.of("DISABLED", "REQUIRED")) {
      for (String algorithm : List.of("zlib", "zstd", "zstd,zlib,uncompressed")) {
        Program.Ending ending =
            MysqlClient.run(
                directory,
                port,
                List.of(
                    "--ssl-mode=" + ssl,
                    "--local-infile=1",
                    "--zstd-compression-level=5",
                    "--compression-algorithms=" + algorithm),
                input);
        String output = ending.output();
        assertEquals(0, ending.code(), output.substring(Math.max(0, output.length() - 2000)));
        assertTrue(output.contains("19999\ttext of row 19999"), algorithm);
        assertTrue(output.contains("20000 rows, 199990000"), algorithm);
        boolean zstd = algorithm.equals("zstd");
        assertTrue(output.contains("Compression_algorithm\t" + (zstd ? "zstd" : "zlib")), output);
        assertTrue(output.contains("Compression_level\t" + (zstd ? "5" : "6")), output);
      }
    }
  }
}
