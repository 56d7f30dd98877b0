package io.alrai.common.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of a cluster's CA in files: what is wrong with them, and what is read anew. */
class MemberFilesTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  @TempDir private Path directory;

  private final AtomicLong nanos = new AtomicLong(1);
  private Certificates.Owned ca = authority();
  private MemberTls.Files files =
      new MemberTls.Files(Path.of("nowhere"), Path.of("nowhere"), Path.of("nowhere"));

  private static Certificates.Owned authority() {
    try {
      return new Certificates(new SecureRandom(), NOW).authority("CA");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Certificates.Owned member(Certificates.Owned by, String name, Instant from, int days)
      throws Exception {
    return new Certificates(new SecureRandom(), from, Duration.ofDays(days)).member(by, name);
  }

  private static String pem(Certificates.Owned... of) throws Exception {
    StringBuilder text = new StringBuilder();
    for (Certificates.Owned one : of) {
      text.append(new Pem("CERTIFICATE", one.certificate().getEncoded()).text());
    }
    return text.toString();
  }

  private void write(Certificates.Owned own, Certificates.Owned... authorities) throws Exception {
    PrivateFiles.write(files.key(), new Pem("PRIVATE KEY", own.key().getEncoded()).text());
    PrivateFiles.write(files.certificate(), pem(own));
    PrivateFiles.write(files.authority(), pem(authorities));
  }

  @BeforeEach
  void writeFiles() throws Exception {
    files =
        new MemberTls.Files(
            directory.resolve("c.pem"), directory.resolve("k.pem"), directory.resolve("ca.pem"));
    write(member(ca, "node-1", NOW, 100), ca);
  }

  private MemberFiles open() {
    return MemberFiles.open(files, nanos::get, () -> NOW);
  }

  private static Optional<String> objection(MemberFiles by, Certificates.Owned shown) {
    return by.objection(new X509Certificate[] {shown.certificate()});
  }

  private static X509Certificate shown(MemberFiles by) {
    return ((X509KeyManager) by.keyManager()).getCertificateChain("member")[0];
  }

  @Test
  void membersAreWhomTheCaHasSigned() throws Exception {
    MemberFiles own = open();
    assertEquals(Optional.empty(), objection(own, member(ca, "node-2", NOW, 1)));
    Map<Certificates.Owned, String> strangers =
        Map.of(
            member(authority(), "node-2", NOW, 1), "CA does not vouch",
            member(ca, "node-3", NOW.minus(Duration.ofDays(9)), 2), "has ended at 2026-11-22",
            member(ca, "node-4", NOW.plus(Duration.ofDays(2)), 2), "is a clock wrong",
            new Certificates(new SecureRandom(), NOW).ofKey(key -> "node-2"), "does not vouch");
    strangers.forEach((shown, why) -> {
      String objection = objection(own, shown).orElse("none");
      assertTrue(objection.contains(why), objection);
    });
    // another use of the CA: one for servers alone does not call
    Certificates.Owned server =
        new Certificates(new SecureRandom(), NOW).server(ca, "web", List.of("web"), List.of());
    assertTrue(objection(own, server).isPresent());
    assertEquals("CN=node-1", own.name());
    assertEquals(NOW.plus(Duration.ofDays(100)).minus(Duration.ofHours(1)), own.end());
  }

  @Test
  void newFilesCountWhenTheyGoTogether() throws Exception {
    MemberFiles own = open();
    X509Certificate before = shown(own);
    Certificates.Owned fresh = member(ca, "node-1", NOW, 50);
    PrivateFiles.write(files.key(), new Pem("PRIVATE KEY", fresh.key().getEncoded()).text());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(before, shown(own), "the key alone has come");
    PrivateFiles.write(files.certificate(), pem(fresh));
    assertEquals(before, shown(own), "it was looked at just now");
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(fresh.certificate(), shown(own));
    Files.delete(files.key());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(fresh.certificate(), shown(own), "what is gone is used further");
  }

  @Test
  void oneCaTakesOverFromAnother() throws Exception {
    MemberFiles own = open();
    Certificates.Owned next = authority();
    assertTrue(objection(own, member(next, "node-2", NOW, 1)).isPresent());
    PrivateFiles.write(files.authority(), pem(next, ca));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(Optional.empty(), objection(own, member(next, "node-2", NOW, 1)));
    assertEquals(Optional.empty(), objection(own, member(ca, "node-2", NOW, 1)));
    write(member(next, "node-1", NOW, 5), next);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertTrue(objection(own, member(ca, "node-2", NOW, 1)).isPresent());
  }

  private void wrong(String why) {
    AlraiException error = assertThrows(AlraiException.class, this::open);
    assertTrue(error.sentence().contains(why), error::sentence);
  }

  @Test
  void whatIsWrongIsSaidAtTheStart() throws Exception {
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r-----"));
    wrong("chmod 600");
    PrivateFiles.write(files.key(), pem(ca));
    wrong("has no private key");
    write(member(authority(), "node-1", NOW, 1), ca);
    wrong("(CN=node-1) was not signed by a CA of");
    Files.delete(files.authority());
    wrong("ca.pem cannot be read");
  }

  @Test
  void configurations() {
    MemberTls by = MemberTls.of("", "/c.pem", " /k.pem ", "/ca.pem");
    assertEquals(MemberTls.Mode.REQUIRE, by.mode());
    assertEquals(MemberTls.OFF, MemberTls.of("", "", " ", ""));
    assertTrue(by.text().contains("\nmember.tls = require\nmember.cert = /c.pem\n"), by.text());
    assertThrows(AlraiException.class, () -> MemberTls.of("", "", "/k.pem", "/ca.pem"));
    assertThrows(AlraiException.class, () -> MemberTls.of("accept", "/c.pem", "/k.pem", ""));
    AlraiException error = assertThrows(AlraiException.class, () -> MemberTls.of("on", "", "", ""));
    assertTrue(error.sentence().contains("no, accept, prefer, require"), error::sentence);
  }
}
