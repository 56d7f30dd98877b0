package io.alrai.cn.protocol;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Scramble;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/** Says what a client says of a password, and keeps what it gets. */
final class ScriptedClient implements PasswordDialog.Peer {
  private final Authentication authentication;
  private final String user;
  private final byte[] password;
  private final Queue<byte[]> sent = new ArrayDeque<>();

  /** What it got, in words. */
  final List<String> heard = new ArrayList<>();

  @Nullable ClientIdentity identity;
  @Nullable AlraiException reason;
  long waitedMillis;
  boolean changesExpired = true;

  /** Happens while it waits. */
  Runnable meanwhile = () -> {};

  ScriptedClient(Authentication authentication, String user, String password) {
    this.authentication = authentication;
    this.user = user;
    this.password = password.getBytes(StandardCharsets.UTF_8);
  }

  ScriptedClient login(String host, boolean encrypted, String plugin) {
    byte[] nonce = Nonces.next();
    PasswordDialog dialog =
        new PasswordDialog(
            authentication, new LoginAttempt(user, host, encrypted, changesExpired), this);
    dialog.begin(plugin, true, nonce, Scramble.proof(plugin, password, nonce));
    byte[] packet;
    while ((packet = sent.poll()) != null) {
      dialog.answer(answer(packet, encrypted, nonce));
      if ((packet[0] & 0xff) == 0xfe) {
        nonce = nonce(packet);
      }
    }
    return this;
  }

  ScriptedClient login(boolean encrypted) {
    return login("10.0.0.1", encrypted, Scramble.SHA2);
  }

  private static byte[] nonce(byte[] packet) {
    return Arrays.copyOfRange(packet, packet.length - 1 - Nonces.LENGTH, packet.length - 1);
  }

  private byte[] answer(byte[] packet, boolean encrypted, byte[] nonce) {
    if ((packet[0] & 0xff) == 0xfe) {
      byte[] name = Arrays.copyOfRange(packet, 1, packet.length - 2 - Nonces.LENGTH);
      String plugin = new String(name, StandardCharsets.US_ASCII);
      heard.add(plugin);
      return Scramble.proof(plugin, password, nonce(packet));
    }
    if (packet.length == 2 && packet[1] == 4) {
      heard.add("password");
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(password);
      out.write(0);
      return encrypted ? out.toByteArray() : new byte[] {2};
    }
    heard.add("key");
    return encrypted(new String(packet, 1, packet.length - 1, StandardCharsets.US_ASCII), nonce);
  }

  private byte[] encrypted(String pem, byte[] nonce) {
    byte[] mixed = Arrays.copyOf(password, password.length + 1);
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] ^= nonce[i % nonce.length];
    }
    try {
      byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(key)));
      return cipher.doFinal(mixed);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  int errno() {
    return reason == null ? 0 : reason.errno();
  }

  @Override
  public void send(byte[] payload) {
    sent.add(payload);
  }

  @Override
  public void accepted(ClientIdentity identity, boolean proved) {
    this.identity = identity;
    heard.add(proved ? "proved" : "ok");
  }

  @Override
  public void refused(AlraiException reason) {
    this.reason = reason;
  }

  @Override
  public void later(long millis, Runnable step) {
    waitedMillis += millis;
    if (millis > 0) {
      meanwhile.run();
    }
    step.run();
  }

  @Override
  public boolean open() {
    return true;
  }
}
