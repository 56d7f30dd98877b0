package io.alrai.dn.fetch;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLException;

/**
 * Reads files of a source by http, https or file: each bounded in size, in silence and, all
 * together, in time. What breaks off is tried again.
 */
final class Downloads {
  private static final int TRIES = 3;
  private static final int MOST_REDIRECTS = 5;
  private static final int BUFFER = 64 * 1024;
  private static final int CONNECT_MILLIS = 10_000;
  private static final Set<String> HTTP = Set.of("http", "https");
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Proxies proxies;
  private final int silenceMillis;
  private final Duration bound;
  private final long deadline;

  /**
   * Begins now.
   *
   * @param silence how long a source may send nothing
   * @param bound how long all may take
   */
  Downloads(Proxies proxies, Duration silence, Duration bound) {
    this.proxies = proxies;
    this.silenceMillis = Math.toIntExact(silence.toMillis());
    this.bound = bound;
    this.deadline = System.nanoTime() + bound.toNanos();
  }

  /** The source's side broke off, which may be another time. */
  private static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    Broken(String reason, Throwable cause) {
      super(reason, cause);
    }

    Broken(String reason) {
      super(reason);
    }
  }

  private interface Sink {
    void take(InputStream in) throws IOException, FetchException, Broken;
  }

  /**
   * A whole file of at most so many bytes.
   *
   * @throws FetchException when it cannot be had
   */
  byte[] bytes(URI address, int most) throws IOException, FetchException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    read(
        address,
        in -> {
          out.reset();
          copy(address, in, out, most, _ -> {});
        });
    return out.toByteArray();
  }

  /**
   * A file whose size and digest are known.
   *
   * @param file is replaced
   * @param progress hears how many bytes of it have come
   * @throws FetchException when it cannot be had, or is another one
   * @throws IOException when it cannot be written
   */
  void toFile(URI address, Path file, long size, String sha256, LongConsumer progress)
      throws IOException, FetchException {
    read(
        address,
        in -> {
          MessageDigest digest = sha256();
          long got;
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
            got = copy(address, in, new DigestingStream(out, digest), size, progress);
          }
          if (got < size) {
            throw new Broken("it ended after " + got + " of " + size + " bytes");
          }
          if (!HexFormat.of().formatHex(digest.digest()).equals(sha256)) {
            throw new FetchException(
                name(address) + " is not what the signed list says: its SHA-256 is another one");
          }
        });
  }

  /** Writes through, and digests what it writes. */
  private static final class DigestingStream extends OutputStream {
    private final OutputStream out;
    private final MessageDigest digest;

    DigestingStream(OutputStream out, MessageDigest digest) {
      this.out = out;
      this.digest = digest;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      digest.update(bytes, offset, length);
      out.write(bytes, offset, length);
    }
  }

  private void read(URI address, Sink sink) throws IOException, FetchException {
    for (int attempt = 1; ; attempt++) {
      try {
        readOnce(address, sink);
        return;
      } catch (Broken e) {
        if (attempt == TRIES) {
          throw new FetchException(name(address) + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private void readOnce(URI address, Sink sink) throws IOException, FetchException, Broken {
    if ("file".equals(address.getScheme())) {
      try (InputStream in = opened(address)) {
        sink.take(in);
      }
      return;
    }
    if (!HTTP.contains(String.valueOf(address.getScheme()))) {
      throw new FetchException(address + " is neither http, https nor file");
    }
    URI at = address;
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      Optional<URI> next = request(at, sink);
      if (next.isEmpty()) {
        return;
      }
      String scheme = String.valueOf(next.get().getScheme());
      if (!HTTP.contains(scheme)) {
        throw new FetchException(name(address) + " leads to what is neither http nor https");
      }
      if (at.getScheme().equals("https") && !scheme.equals("https")) {
        throw new FetchException(name(address) + " leads away from https");
      }
      at = next.get();
    }
    throw new FetchException(name(address) + " leads to ever other addresses");
  }

  private static InputStream opened(URI local) throws FetchException {
    try {
      return Files.newInputStream(Path.of(local));
    } catch (NoSuchFileException e) {
      throw FetchException.absent("there is no " + local.getPath());
    } catch (IOException e) {
      throw new FetchException(local.getPath() + " cannot be read", e);
    } catch (IllegalArgumentException e) {
      throw new FetchException(local + " is no file of this machine, as file:///... is", e);
    }
  }

  /** Where it leads to, unless the file came. */
  private Optional<URI> request(URI address, Sink sink) throws IOException, FetchException, Broken {
    requireTime();
    HttpURLConnection connection = connection(address);
    boolean whole = false;
    try {
      Optional<InputStream> body = body(address, connection);
      if (body.isEmpty()) {
        return Optional.of(leadsTo(address, connection));
      }
      try (InputStream in = body.get()) {
        sink.take(in);
      }
      whole = true; // the connection serves the next request
      return Optional.empty();
    } finally {
      if (!whole) {
        connection.disconnect();
      }
    }
  }

  private HttpURLConnection connection(URI address) throws FetchException {
    try {
      HttpURLConnection connection = proxies.connection(address);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(Math.min(CONNECT_MILLIS, silenceMillis));
      connection.setReadTimeout(silenceMillis);
      connection.setRequestProperty("User-Agent", "Alrai");
      return connection;
    } catch (IOException | IllegalArgumentException e) {
      throw new FetchException(name(address) + ": " + e.getMessage(), e);
    }
  }

  /** Empty where the answer leads elsewhere. */
  private static Optional<InputStream> body(URI address, HttpURLConnection connection)
      throws FetchException, Broken {
    try {
      int code = connection.getResponseCode();
      if (REDIRECTS.contains(code)) {
        return Optional.empty();
      }
      if (code != HttpURLConnection.HTTP_OK) {
        throw unlike(address, code);
      }
      return Optional.of(connection.getInputStream());
    } catch (IOException e) {
      String unreachable = whyUnreachable(address, e);
      if (!unreachable.isEmpty()) {
        throw new FetchException(name(address) + ": " + unreachable, e);
      }
      throw new Broken(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new FetchException(address + " is no address", e);
    }
  }

  private static URI leadsTo(URI address, HttpURLConnection connection) throws FetchException {
    String location = connection.getHeaderField("Location");
    if (location == null) {
      throw new FetchException(name(address) + " leads to no address");
    }
    try {
      return address.resolve(location.strip());
    } catch (IllegalArgumentException e) {
      throw new FetchException(name(address) + " leads to no address", e);
    }
  }

  private static FetchException unlike(URI address, int code) throws Broken {
    String sentence = "it answers with HTTP status " + code;
    if (code >= 500) {
      throw new Broken(sentence);
    }
    return code == HttpURLConnection.HTTP_NOT_FOUND
        ? FetchException.absent(name(address) + ": " + sentence)
        : new FetchException(name(address) + ": " + sentence);
  }

  /** Empty when another try may do better. */
  private static String whyUnreachable(URI address, IOException e) {
    return switch (e) {
      case UnknownHostException _ -> "there is no address for the name " + e.getMessage();
      case NoRouteToHostException _ -> "there is no way to " + address.getHost();
      case SocketTimeoutException _ -> "it does not answer";
      case ConnectException _ -> "it cannot be connected to: " + e.getMessage();
      case SSLException _ -> "its certificate or TLS does not fit: " + e.getMessage();
      default -> "";
    };
  }

  private long copy(URI address, InputStream in, OutputStream out, long most, LongConsumer progress)
      throws IOException, FetchException, Broken {
    byte[] buffer = new byte[BUFFER];
    long copied = 0;
    for (int n = next(in, buffer); n >= 0; n = next(in, buffer)) {
      copied += n;
      if (copied > most) {
        throw new FetchException(name(address) + " is larger than it may be, " + most + " bytes");
      }
      out.write(buffer, 0, n);
      progress.accept(copied);
      requireTime();
    }
    return copied;
  }

  private void requireTime() throws FetchException {
    if (System.nanoTime() - deadline > 0) {
      throw new FetchException(
          "what is fetched has not come within " + bound.toMinutes() + " minutes");
    }
  }

  private int next(InputStream in, byte[] buffer) throws Broken {
    try {
      return in.read(buffer);
    } catch (SocketTimeoutException e) {
      String seconds = BigDecimal.valueOf(silenceMillis, 3).stripTrailingZeros().toPlainString();
      throw new Broken("it sent nothing for " + seconds + " s", e);
    } catch (IOException e) {
      throw new Broken("it broke off: " + e.getMessage(), e);
    }
  }

  private static String name(URI address) {
    String path = String.valueOf(address.getPath());
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
