package io.alrai.dn.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.util.encoders.Hex;
import org.junit.jupiter.api.Test;

class TrustedKeysTest {
  private static final TestKey KEY = TestKey.make();
  private static final String ARMOUR = "-----BEGIN PGP SIGNATURE-----\n\n";
  private static final String TEXT = "Codename: sid\n-dashed\nblanks at its end  \n\nlast\n";

  private static String refused(TrustedKeys keys, byte[] file, Instant now) {
    return assertThrows(
            FetchException.class, () -> keys.requireSignature(ClearSigned.of(file), now))
        .sentence();
  }

  private static byte[] changed(byte[] file, String from, String to) {
    String text = new String(file, StandardCharsets.UTF_8);
    assertTrue(text.contains(from), text);
    return text.replace(from, to).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TrustedKeysTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void theShippedKeysAreThoseOfDebiansArchive() {
    assertEquals(
        Set.of(
            "B8B80B5B623EAB6AD8775C45B7C5D7D6350947F8", // 12/bookworm
            "04B54C3CDCA79751B16BC6B5225629DF75B188BD"), // 13/trixie
        TrustedKeys.ofDebian().fingerprints());
  }

  /** As in the JVMs of a cluster. */
  @Test
  void theLibraryMayHaveALoaderOfItsOwn() throws IOException, FetchException {
    SigningKeys keys =
        OpenPgpLibrary.read(
            new ByteArrayInputStream(KEY.publicKey()), library().map(Path::toString).toList());
    assertEquals("openpgp", keys.getClass().getClassLoader().getName());
    ClearSigned signed = ClearSigned.of(KEY.sign(TEXT));
    keys.requireSignature(signed.signed(), signed.signature(), Instant.now());
    assertThrows(
        FetchException.class,
        () -> keys.requireSignature(new byte[1], signed.signature(), Instant.now()));
  }

  private static Stream<Path> library() {
    return Stream.of(PGPUtil.class, HashAlgorithmTags.class, Hex.class)
        .map(each -> Path.of(each.getProtectionDomain().getCodeSource().getLocation().getPath()));
  }

  @Test
  void whatIsReadIsWhatWasSigned() throws FetchException {
    ClearSigned signed = ClearSigned.of(KEY.sign(TEXT));
    KEY.trusted().requireSignature(signed, Instant.now());
    assertEquals("Codename: sid\n-dashed\nblanks at its end\n\nlast\n", signed.text());
  }

  @Test
  void whatGpgSignedIsTaken() throws IOException, FetchException {
    TrustedKeys keys =
        TrustedKeys.read(TrustedKeysTest.class.getResourceAsStream("key-of-gpg.asc"));
    byte[] file = resource("signed-by-gpg.txt");
    Instant day = Instant.parse("2027-01-01T00:00:00Z");
    keys.requireSignature(ClearSigned.of(file), day);
    String sentence = refused(keys, changed(file, "in front", "in  front"), day);
    assertTrue(sentence.contains("does not fit"), sentence);
  }

  @Test
  void aChangedTextIsRefused() {
    byte[] file = changed(KEY.sign(TEXT), "Codename: sid", "Codename: sad");
    assertTrue(refused(KEY.trusted(), file, Instant.now()).contains("does not fit"));
  }

  @Test
  void anUnknownKeyIsRefusedByItsName() {
    String sentence = refused(TrustedKeys.ofDebian(), KEY.sign(TEXT), Instant.now());
    assertTrue(sentence.contains("none of those that this version of Alrai knows"), sentence);
  }

  @Test
  void anExpiredKeyIsRefusedWithTheDay() throws FetchException {
    TestKey key = TestKey.make(Duration.ofDays(30));
    byte[] file = key.sign(TEXT);
    key.trusted().requireSignature(ClearSigned.of(file), Instant.now());
    String sentence = refused(key.trusted(), file, Instant.now().plus(Duration.ofDays(31)));
    assertTrue(sentence.contains("has expired on "), sentence);
  }

  @Test
  void aClockBeforeTheKeyIsSaid() {
    String sentence =
        refused(KEY.trusted(), KEY.sign(TEXT), Instant.now().minus(Duration.ofDays(2)));
    assertTrue(sentence.contains("is this machine's clock right?"), sentence);
  }

  @Test
  void aWeakDigestIsRefused() {
    byte[] file = KEY.sign(TEXT, HashAlgorithmTags.SHA1);
    assertTrue(refused(KEY.trusted(), file, Instant.now()).contains("of a kind that is not taken"));
  }

  @Test
  void nothingStandsBesideWhatIsSigned() {
    String file = new String(KEY.sign(TEXT), StandardCharsets.UTF_8);
    String other = new String(KEY.sign("Codename: other\n"), StandardCharsets.UTF_8);
    for (String bad :
        new String[] {
          "Codename: mine\n" + file,
          file + "Codename: mine\n",
          file + other,
          file.replace("Hash: SHA256\n", "Hash: SHA256\nCodename: mine\n"),
          file.replace("last\n", "last\n-----BEGIN PGP SIGNED MESSAGE-----\n"),
          file.substring(0, file.indexOf("-----END")),
          file.substring(0, file.indexOf("-----BEGIN PGP SIGNATURE")),
          "-----BEGIN PGP SIGNED MESSAGE-----",
          "<html>sign in</html>",
          ""
        }) {
      refused(KEY.trusted(), bad.getBytes(StandardCharsets.UTF_8), Instant.now());
    }
  }

  @Test
  void aBrokenSignatureIsRefused() {
    String file = new String(KEY.sign(TEXT), StandardCharsets.UTF_8);
    int begin = file.indexOf("-----BEGIN PGP SIGNATURE-----\n\n") + 31;
    for (String armour : new String[] {"", "AAAA\n", "x".repeat(64) + "\n", "!!!\n"}) {
      String bad = file.substring(0, begin) + armour + "-----END PGP SIGNATURE-----\n";
      refused(KEY.trusted(), bad.getBytes(StandardCharsets.UTF_8), Instant.now());
    }
  }

  private static byte[] packet(byte[] signedFile) {
    String file = new String(signedFile, StandardCharsets.UTF_8);
    int begin = file.indexOf(ARMOUR) + ARMOUR.length();
    return Base64.getMimeDecoder().decode(file.substring(begin, file.indexOf("\n=", begin)));
  }

  private static byte[] withPackets(byte[] signedFile, byte[] packets) {
    String file = new String(signedFile, StandardCharsets.UTF_8);
    String bad =
        file.substring(0, file.indexOf(ARMOUR) + ARMOUR.length())
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(packets)
            + "\n-----END PGP SIGNATURE-----\n";
    return bad.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aSignatureOfAnotherKindThanItsKeyIsRefused() {
    byte[] file = KEY.sign(TEXT);
    byte[] packet = packet(file);
    int header = 3; // a tag and two bytes of length
    byte[] body = Arrays.copyOfRange(packet, header, packet.length);
    assertEquals(PublicKeyAlgorithmTags.RSA_GENERAL, body[2]);
    body[2] = PublicKeyAlgorithmTags.DSA;
    byte[] bad =
        ByteBuffer.allocate(body.length + 6)
            .put((byte) 0x89)
            .putShort((short) (body.length + 3))
            .put(body)
            .put(new byte[] {0, 1, 1}) // DSA has two numbers
            .array();
    String sentence = refused(KEY.trusted(), withPackets(file, bad), Instant.now());
    assertTrue(sentence.contains("does not fit"), sentence);
  }

  @Test
  void someSignaturesAreReadAndNotAnyNumber() throws FetchException {
    byte[] file = KEY.sign(TEXT);
    byte[] packet = packet(file);
    ByteBuffer all = ByteBuffer.allocate(17 * packet.length);
    while (all.hasRemaining()) {
      all.put(packet);
    }
    String sentence = refused(KEY.trusted(), withPackets(file, all.array()), Instant.now());
    assertTrue(sentence.contains("17 signatures"), sentence);
    byte[] others = ByteBuffer.allocate(2 * packet.length).put(packet).put(packet).array();
    KEY.trusted().requireSignature(ClearSigned.of(withPackets(file, others)), Instant.now());
  }
}
