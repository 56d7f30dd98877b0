package io.alrai.cn.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.certificate.Der;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that TLS is opened with: our own, given ones, and all that can be wrong with these. */
class EndpointTlsTest {
  @TempDir private Path directory;

  private TlsChoice given(Path certificate, Path key) {
    return TlsChoice.of("yes", certificate.toString(), key.toString(), "");
  }

  private String refusal(TlsChoice choice) {
    return assertThrows(AlraiException.class, () -> EndpointTls.open(choice, directory)).sentence();
  }

  @Test
  void ownCertificatesAreMadeOnce() throws Exception {
    Path own = directory.resolve("tls");
    String first;
    try (EndpointTls tls = EndpointTls.open(TlsChoice.OWN, directory).orElseThrow()) {
      assertEquals(own.resolve("server-cert.pem"), tls.certificate());
      assertEquals(own.resolve("server-key.pem"), tls.key());
      assertEquals(own.resolve("ca.pem"), tls.authority().orElseThrow());
      first = Files.readString(tls.certificate());
    }
    assertEquals(
        Set.of(
            "ca.pem rw-r--r--",
            "ca-key.pem rw-------",
            "server-cert.pem rw-r--r--",
            "server-key.pem rw-------"),
        permissions(own));
    EndpointTls.open(TlsChoice.OWN, directory).orElseThrow().close();
    assertEquals(first, Files.readString(own.resolve("server-cert.pem")));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(own), left.toList());
    }
  }

  private static Set<String> permissions(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(EndpointTlsTest::permission).collect(Collectors.toSet());
    }
  }

  private static String permission(Path file) {
    try {
      return file.getFileName()
          + " "
          + PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void processesThatStartTogetherHaveTheSame() throws Exception {
    Callable<String> open =
        () -> {
          try (EndpointTls tls = EndpointTls.open(TlsChoice.OWN, directory).orElseThrow()) {
            return Files.readString(tls.certificate());
          }
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      Set<String> seen = new HashSet<>();
      for (Future<String> certificate : threads.invokeAll(List.of(open, open, open, open))) {
        seen.add(certificate.get());
      }
      assertEquals(1, seen.size());
    }
  }

  @Test
  void aDirectoryThatLacksAFileIsNotTouched() throws Exception {
    EndpointTls.open(TlsChoice.OWN, directory).orElseThrow().close();
    Files.delete(directory.resolve("tls/server-key.pem"));
    String sentence = refusal(TlsChoice.OWN);
    assertTrue(sentence.contains("tls has no server-key.pem"), sentence);
  }

  @Test
  void noTls() {
    assertTrue(EndpointTls.open(TlsChoice.of("no", "", "", ""), directory).isEmpty());
    assertFalse(Files.exists(directory.resolve("tls")));
  }

  @Test
  void choicesThatDoNotGoTogether() {
    for (List<String> wrong :
        List.of(
            List.of("maybe", "", "", ""),
            List.of("yes", "c.pem", "", ""),
            List.of("yes", "", "k.pem", ""),
            List.of("yes", "", "", "ca.pem"),
            List.of("no", "c.pem", "k.pem", ""))) {
      AlraiException e =
          assertThrows(
              AlraiException.class,
              () -> TlsChoice.of(wrong.get(0), wrong.get(1), wrong.get(2), wrong.get(3)),
              wrong::toString);
      assertEquals(1231, e.errno());
    }
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Path rsaCertificate(KeyPair keys) throws Exception {
    byte[] algorithm = Der.sequence(Der.oid("1.2.840.113549.1.1.11"), Der.nothing());
    byte[] name =
        Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8("somebody else's"))));
    byte[] signedPart =
        Der.sequence(
            Der.integer(1),
            algorithm,
            name,
            Der.sequence(
                Der.time(Instant.now()), Der.time(Instant.now().plus(Duration.ofDays(60)))),
            name,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(keys.getPrivate());
    signature.update(signedPart);
    byte[] whole = Der.sequence(signedPart, algorithm, Der.bits(signature.sign()));
    return file("rsa-cert.pem", new Pem("CERTIFICATE", whole).text());
  }

  private static KeyPair rsa() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  /** PKCS#1 as openssl writes it: version, n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p. */
  private static byte[] pkcs1(PrivateKey key) {
    RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) key;
    byte[][] numbers =
        Stream.of(
                BigInteger.ZERO,
                rsa.getModulus(),
                rsa.getPublicExponent(),
                rsa.getPrivateExponent(),
                rsa.getPrimeP(),
                rsa.getPrimeQ(),
                rsa.getPrimeExponentP(),
                rsa.getPrimeExponentQ(),
                rsa.getCrtCoefficient())
            .map(Der::integer)
            .toArray(byte[][]::new);
    return Der.sequence(numbers);
  }

  @Test
  void keysOfRsaInBothForms() throws Exception {
    KeyPair keys = rsa();
    Path certificate = rsaCertificate(keys);
    for (Pem key :
        List.of(
            new Pem("PRIVATE KEY", keys.getPrivate().getEncoded()),
            new Pem("RSA PRIVATE KEY", pkcs1(keys.getPrivate())))) {
      Path file = file("rsa-key.pem", "a comment\n" + key.text());
      EndpointTls.open(given(certificate, file), directory).orElseThrow().close();
    }
    assertFalse(Files.exists(directory.resolve("tls")));
  }

  @Test
  void whatIsWrongWithAKeyIsSaid() throws Exception {
    KeyPair keys = rsa();
    Path certificate = rsaCertificate(keys);
    byte[] key = keys.getPrivate().getEncoded();
    String right = new Pem("PRIVATE KEY", key).text();
    byte[] cut = Arrays.copyOf(key, key.length / 2);
    KeyPairGenerator curve = KeyPairGenerator.getInstance("EC");
    for (List<String> wrong :
        List.of(
            List.of(
                new Pem("PRIVATE KEY", rsa().getPrivate().getEncoded()).text(), "has not the key"),
            List.of(
                new Pem("PRIVATE KEY", curve.generateKeyPair().getPrivate().getEncoded()).text(),
                "has not the key"),
            List.of(new Pem("PRIVATE KEY", cut).text(), "or damaged"),
            List.of(new Pem("EC PRIVATE KEY", key).text(), "SEC 1"),
            List.of(new Pem("ENCRYPTED PRIVATE KEY", key).text(), "encrypted"),
            List.of(
                right.replace("PRIVATE KEY-----\n", "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n"),
                "encrypted"),
            List.of(right.replace("\nMII", "\n@@@"), "is damaged"),
            List.of(right.substring(0, 200), "no private key"),
            List.of("", "no private key"))) {
      Path file = file("wrong.pem", wrong.get(0));
      String sentence = refusal(given(certificate, file));
      assertTrue(sentence.contains(file + " "), sentence);
      assertTrue(sentence.contains(wrong.get(1)), sentence);
    }
    String missing = refusal(given(certificate, directory.resolve("nowhere.pem")));
    assertTrue(missing.endsWith("nowhere.pem does not exist"), missing);
    String directoryForFile = refusal(given(certificate, directory));
    assertTrue(directoryForFile.contains("cannot be read"), directoryForFile);
  }

  @Test
  void whatIsWrongWithACertificateIsSaid() throws Exception {
    KeyPair keys = rsa();
    Path key = file("key.pem", new Pem("PRIVATE KEY", keys.getPrivate().getEncoded()).text());
    byte[] certificate = Pem.all(Files.readString(rsaCertificate(keys))).getFirst().content();
    for (List<String> wrong :
        List.of(
            List.of("", "has no certificate"),
            List.of(Files.readString(key), "has no certificate"),
            List.of(
                new Pem("CERTIFICATE", Arrays.copyOf(certificate, 100)).text(),
                "a certificate that cannot be read"))) {
      Path file = file("wrong.pem", wrong.get(0));
      String sentence = refusal(given(file, key));
      assertTrue(sentence.contains(file + " has "), sentence);
      assertTrue(sentence.contains(wrong.get(1)), sentence);
    }
  }

  @Test
  void aBlockIsReadAsItWasWritten() {
    byte[] content = new byte[200];
    new Random(1).nextBytes(content);
    Pem block = new Pem("CERTIFICATE", content);
    List<Pem> read = Pem.all("x\r\n" + block.text().replace("\n", "\r\n") + block.text());
    assertEquals(2, read.size());
    assertEquals("CERTIFICATE", read.getFirst().label());
    assertArrayEquals(content, read.getFirst().content());
    assertTrue(block.text().lines().allMatch(line -> line.length() <= 64));
  }

  @Test
  void namesOfCiphers() {
    assertEquals("TLS_AES_128_GCM_SHA256", Encryption.ofOpenSsl("TLS_AES_128_GCM_SHA256"));
    assertEquals(
        "ECDHE-RSA-AES256-GCM-SHA384",
        Encryption.ofOpenSsl("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"));
    assertEquals(
        "ECDHE-ECDSA-CHACHA20-POLY1305",
        Encryption.ofOpenSsl("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"));
  }

  @Test
  void stepsOfHandshakesWaitBehindABoundedNumber() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    Callable<Integer> step =
        () -> {
          slow.await();
          return done.incrementAndGet();
        };
    try (ExecutorService steps = EndpointTls.steps(1)) {
      for (int i = 0; i <= EndpointTls.MOST_WAITING; i++) {
        steps.submit(step);
      }
      assertThrows(RejectedExecutionException.class, () -> steps.submit(step));
      slow.countDown();
    }
    assertEquals(1 + EndpointTls.MOST_WAITING, done.get());
  }
}
