package io.alrai.dn.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadsTest {
  private static final byte[] FILE = "the file".repeat(1000).getBytes(UTF_8);
  private static final String DIGEST = TestArchive.sha256(FILE);

  @TempDir Path temporary;
  private HttpServer server;
  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);

  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void stop() {
    ended.countDown();
    server.stop(0);
  }

  private URI answering(Answer answer) {
    server.createContext(
        "/file",
        exchange -> {
          requests.incrementAndGet();
          try (exchange) {
            answer.to(exchange);
          }
        });
    return at("/file");
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static Downloads downloads(Map<String, String> environment) {
    return new Downloads(new Proxies(environment), Duration.ofSeconds(30), Duration.ofMinutes(5));
  }

  private Path fetch(URI address) throws IOException, FetchException {
    Path file = temporary.resolve("file");
    downloads(Map.of()).toFile(address, file, FILE.length, DIGEST, _ -> {});
    return file;
  }

  private String refused(URI address) {
    return assertThrows(FetchException.class, () -> fetch(address)).sentence();
  }

  @Test
  void aFileComesAndItsProgressIsTold() throws Exception {
    URI address = answering(exchange -> send(exchange, 200, FILE));
    List<Long> told = new ArrayList<>();
    Path file = temporary.resolve("file");
    downloads(Map.of()).toFile(address, file, FILE.length, DIGEST, told::add);
    assertArrayEquals(FILE, Files.readAllBytes(file));
    assertEquals(FILE.length, told.getLast());
    assertEquals(1, requests.get());
    assertArrayEquals(FILE, downloads(Map.of()).bytes(address, FILE.length));
    Path local = Files.write(temporary.resolve("local"), FILE);
    assertArrayEquals(FILE, Files.readAllBytes(fetch(local.toUri())));
  }

  @Test
  void whatBreaksOffIsTriedAgain() throws Exception {
    URI address =
        answering(exchange -> {
          if (requests.get() == 1) {
            exchange.sendResponseHeaders(200, FILE.length);
            exchange.getResponseBody().write(FILE, 0, 100);
          } else {
            send(exchange, requests.get() == 2 ? 503 : 200, FILE);
          }
        });
    assertArrayEquals(FILE, Files.readAllBytes(fetch(address)));
    assertEquals(3, requests.get());
  }

  @Test
  void whatAlwaysBreaksOffIsSaid() {
    byte[] half = java.util.Arrays.copyOf(FILE, FILE.length / 2);
    String sentence = refused(answering(exchange -> send(exchange, 200, half)));
    assertTrue(sentence.contains("it ended after 4000 of 8000 bytes"), sentence);
    assertEquals(3, requests.get());
  }

  @Test
  void anotherFileIsRefusedAtOnce() {
    byte[] other = FILE.clone();
    other[7]++;
    String sentence = refused(answering(exchange -> send(exchange, 200, other)));
    assertTrue(sentence.contains("file is not what the signed list says"), sentence);
    assertEquals(1, requests.get());
  }

  @Test
  void aFileThatDoesNotEndIsCutOff() {
    URI address =
        answering(exchange -> {
          exchange.sendResponseHeaders(200, 0);
          while (ended.getCount() > 0) {
            exchange.getResponseBody().write(FILE);
          }
        });
    assertTrue(refused(address).contains("is larger than it may be, 8000 bytes"));
    FetchException small =
        assertThrows(FetchException.class, () -> downloads(Map.of()).bytes(address, 5000));
    assertTrue(small.sentence().contains("5000 bytes"), small.sentence());
  }

  @Test
  void silenceEnds() {
    URI address =
        answering(exchange -> {
          exchange.sendResponseHeaders(200, FILE.length);
          exchange.getResponseBody().write(FILE, 0, 100);
          exchange.getResponseBody().flush();
          try {
            ended.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    Downloads downloads =
        new Downloads(new Proxies(Map.of()), Duration.ofMillis(200), Duration.ofMinutes(5));
    FetchException failure =
        assertThrows(FetchException.class, () -> downloads.bytes(address, FILE.length));
    assertTrue(failure.sentence().contains("it sent nothing for 0.2 s"), failure.sentence());
  }

  @Test
  void allTogetherHaveABound() {
    URI address = answering(exchange -> send(exchange, 200, FILE));
    Downloads late = new Downloads(new Proxies(Map.of()), Duration.ofSeconds(30), Duration.ZERO);
    assertThrows(FetchException.class, () -> late.bytes(address, FILE.length));
  }

  @Test
  void whatIsNotThereIsSaid() throws IOException {
    assertTrue(refused(at("/none")).contains("none: it answers with HTTP status 404"));
    assertTrue(refused(temporary.resolve("none").toUri()).contains("there is no "));
    assertTrue(refused(URI.create("file://mirror/file")).contains("no file of this machine"));
    assertTrue(refused(URI.create("file:mirror/file")).contains("no file of this machine"));
    assertTrue(refused(URI.create("ftp://127.0.0.1/file")).contains("neither http"));
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    String sentence = refused(URI.create("http://127.0.0.1:" + free + "/file"));
    assertTrue(sentence.contains("it cannot be connected to"), sentence);
    sentence = refused(URI.create("http://mirror.invalid/file"));
    assertTrue(sentence.contains("there is no address for the name"), sentence);
  }

  /**
   * Whether their answers are whole or not; for the rest of a short one the JDK waits some seconds.
   */
  @Test
  void connectionsWithoutAFileAreClosed() throws Exception {
    for (String answer : List.of("403 Forbidden", "302 Found\r\nLocation: ftp://127.0.0.1/")) {
      closes("HTTP/1.1 " + answer + "\r\nContent-Length: 4\r\n\r\nnone");
      closes("HTTP/1.1 " + answer + "\r\nContent-Length: 1000000\r\n\r\nn");
    }
  }

  private void closes(String answer) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ExecutorService client = Executors.newVirtualThreadPerTaskExecutor()) {
      URI address = URI.create("http://127.0.0.1:" + listening.getLocalPort() + "/file");
      Future<String> sentence = client.submit(() -> refused(address));
      try (Socket socket = listening.accept()) {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(answer.getBytes(UTF_8));
        socket.getInputStream().transferTo(OutputStream.nullOutputStream()); // to its end
      }
      assertFalse(sentence.get().isEmpty());
    }
  }

  @Test
  void redirectionsAreFollowedToAnEnd() throws Exception {
    URI address = answering(exchange -> send(exchange, 200, FILE));
    redirect("/absolute", address.toString());
    redirect("/relative", "absolute");
    redirect("/circle", "/circle");
    redirect("/nowhere", "http://[");
    redirect("/local", temporary.resolve("local").toUri().toString());
    assertArrayEquals(FILE, Files.readAllBytes(fetch(at("/relative"))));
    assertTrue(refused(at("/circle")).contains("ever other addresses"));
    assertTrue(refused(at("/nowhere")).contains("leads to no address"));
    Files.write(temporary.resolve("local"), FILE);
    assertTrue(refused(at("/local")).contains("leads to what is neither http nor https"));
  }

  private void redirect(String from, String to) {
    server.createContext(
        from,
        exchange -> {
          exchange.getResponseHeaders().add("Location", to);
          try (exchange) {
            send(exchange, 302, new byte[0]);
          }
        });
  }

  @Test
  void aProxyOfTheEnvironmentIsUsed() throws Exception {
    List<String> asked = new ArrayList<>();
    server.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Proxy-Authorization"));
          try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Proxy-Authorization")) {
              send(exchange, 200, FILE);
            } else {
              exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"proxy\"");
              send(exchange, 407, new byte[0]);
            }
          }
        });
    String proxy = "http://user:secret@127.0.0.1:" + server.getAddress().getPort() + "/";
    URI address = URI.create("http://mirror.invalid/proxied");
    assertArrayEquals(FILE, downloads(Map.of("HTTP_PROXY", proxy)).bytes(address, FILE.length));
    assertEquals(
        "http://mirror.invalid/proxied Basic dXNlcjpzZWNyZXQ=", asked.getLast().toString());
    Downloads direct =
        downloads(
            Map.of("http_proxy", proxy, "no_proxy", "localhost, .mirror.invalid,mirror.invalid"));
    assertThrows(FetchException.class, () -> direct.bytes(address, FILE.length));
    assertFalse(asked.isEmpty());
    FetchException bad =
        assertThrows(
            FetchException.class,
            () -> downloads(Map.of("http_proxy", "http://a b")).bytes(address, FILE.length));
    assertTrue(bad.sentence().contains("the proxy of the environment is no address"));
  }
}
