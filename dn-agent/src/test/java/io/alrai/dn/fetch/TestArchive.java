package io.alrai.dn.fetch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** A Debian archive made for a test, served on a port of this machine. */
public final class TestArchive implements AutoCloseable {
  private static final DateTimeFormatter DATES =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  final TestKey key;
  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  Instant date = Instant.now();
  Instant validUntil = date.plusSeconds(86_400);
  String codename = "sid";
  private final StringBuilder packages = new StringBuilder();
  private final HttpServer server;

  /** With the lists signed by this key; empty. */
  public TestArchive(TestKey key) throws IOException {
    this.key = key;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().replaceFirst("^/debian/", "");
    requests.add(path);
    byte[] file = files.get(path);
    try (exchange;
        OutputStream out = exchange.getResponseBody()) {
      exchange.sendResponseHeaders(file == null ? 404 : 200, file == null ? -1 : file.length);
      if (file != null) {
        out.write(file);
      }
    }
  }

  /** Its address. */
  public String mirror() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/debian";
  }

  /** What was asked for so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** This archive and its key, for this machine. */
  public DebianSource source() {
    return source(List.of(mirror()));
  }

  DebianSource source(List<String> mirrors) {
    return new DebianSource(mirrors, "sid", key.trusted(), System.getProperty("os.arch"), Map.of());
  }

  /** Takes a package in. */
  public TestArchive add(TestPackage one) throws IOException {
    byte[] file = one.bytes();
    String path = path(one);
    files.put(path, file);
    packages.append(
        """
        Package: %s
        Version: %s
        Architecture: all
        %sFilename: %s
        Size: %d
        SHA256: %s

        """
            .formatted(one.name, one.version, one.fields, path, file.length, sha256(file)));
    return this;
  }

  static String path(TestPackage one) {
    return "pool/" + one.name + "_" + one.version + ".deb";
  }

  /** Writes and signs its lists. */
  public TestArchive publish() throws IOException {
    return publish(packages.toString());
  }

  TestArchive publish(String listOfPackages) throws IOException {
    byte[] list = xz(listOfPackages.getBytes(StandardCharsets.UTF_8));
    String directory =
        "main/binary-" + (System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64");
    files.put("dists/sid/" + directory + "/by-hash/SHA256/" + sha256(list), list);
    String release =
        """
        Origin: Test
        Codename: %s
        Date: %s
        Valid-Until: %s
        Acquire-By-Hash: yes
        MD5Sum:
         00000000000000000000000000000000 1 %s/Packages.xz
        SHA256:
         %s %d %s/Packages.xz
        """
            .formatted(
                codename,
                DATES.format(date),
                DATES.format(validUntil),
                directory,
                sha256(list),
                list.length,
                directory);
    files.put("dists/sid/InRelease", key.sign(release));
    return this;
  }

  private static byte[] xz(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(bytes, new LZMA2Options())) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
