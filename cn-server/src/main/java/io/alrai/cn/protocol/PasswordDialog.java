package io.alrai.cn.protocol;

import io.alrai.cn.protocol.LoginLimits.Place;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Account;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client and a CN say of a password, at a login and in CHANGE_USER (protocol documentation,
 * "Caching_sha2_password information"). Event loop only; what takes long runs elsewhere.
 *
 * <pre>
 *  BEGUN -> (SWITCHED ->)? proof is enough -> OVER
 *                          (ASKED -> (KEYED ->)? BUSY ->)? OVER
 * </pre>
 *
 * SWITCHED: the client is to use another plugin, or a new nonce. ASKED: it is to send the password
 * itself, within TLS, or encrypted with the public key, for which it may ask first: KEYED. That it
 * is asked tells it of its proof: the question waits as an answer does, and counts if it leaves.
 */
public final class PasswordDialog {
  /** The client's side of a dialog. */
  public interface Peer {
    /** Sends a packet; what the client says next is given to {@link #answer}. */
    void send(byte[] payload);

    /**
     * The password was right.
     *
     * @param proved whether a proof with {@link Scramble#SHA2} was enough: the client gets that
     *     answer
     */
    void accepted(ClientIdentity identity, boolean proved);

    /** The login fails. */
    void refused(AlraiException reason);

    /** Runs something on the client's event loop after a while. Any thread. */
    void later(long millis, Runnable step);

    /** Whether the client is still there. */
    boolean open();
  }

  private enum State {
    BEGUN,
    SWITCHED,
    ASKED,
    KEYED,
    BUSY,
    OVER
  }

  private static final byte MORE = 1;
  private static final byte PLEASE_PASSWORD = 4;
  private static final byte KEY_WANTED = 2;
  private static final int PROOF_LENGTH = 32;

  private final Authentication authentication;
  private final LoginAttempt attempt;
  private final Peer peer;
  private State state = State.BEGUN;
  private Optional<Account> account = Optional.empty();
  private String plugin = Scramble.SHA2;
  private byte[] nonce = new byte[0];

  /** Whether the client has been asked for the password, and no password was looked at yet. */
  private boolean unanswered;

  /** Whether it has had to wait. */
  private boolean waited;

  /** Whether its proof was wrong, whatever it answers. */
  private boolean disproved;

  /** A dialog that has not begun. */
  public PasswordDialog(Authentication authentication, LoginAttempt attempt, Peer peer) {
    this.authentication = authentication;
    this.attempt = attempt;
    this.peer = peer;
  }

  /**
   * The client has said who it is.
   *
   * @param named the plugin that its proof is for; empty where it said none
   * @param switches whether another one can be proposed to it
   */
  public void begin(String named, boolean switches, byte[] greeted, byte[] proof) {
    guarded(() -> {
      account = authentication.account(attempt);
      plugin = authentication.plugin(account);
      nonce = greeted;
      boolean without = withoutPassword(proof).length == 0 && noPassword();
      if (named.equals(plugin) || without && !switches) {
        proof(withoutPassword(proof));
      } else if (switches) {
        turn();
      } else {
        throw new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_AUTH_MODE,
            "Client does not support authentication protocol requested by server; consider"
                + " upgrading MySQL client");
      }
    });
  }

  /** What the client says next. */
  public void answer(byte[] payload) {
    guarded(() -> {
      switch (state) {
        case SWITCHED -> proof(withoutPassword(payload));
        case ASKED -> password(payload);
        case KEYED -> encrypted(payload);
        case BEGUN, BUSY, OVER ->
            throw new AlraiException(ErrorCode.ER_HANDSHAKE_ERROR, "Bad handshake");
      }
    });
  }

  /** The client has left. */
  public void left() {
    state = State.OVER;
    if (!unanswered) {
      return;
    }
    unanswered = false;
    tried(disproved ? account : Optional.empty(), false);
  }

  /** Whether it is not the client's turn. */
  public boolean busy() {
    return state == State.BUSY;
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (AlraiException e) {
      refuse(e);
    }
  }

  private void refuse(AlraiException reason) {
    state = State.OVER;
    peer.refused(reason);
  }

  private boolean noPassword() {
    return account.isPresent() && account.get().credential().noPassword();
  }

  /** Clients say "no password" with no byte or with a single zero. */
  private static byte[] withoutPassword(byte[] sent) {
    return sent.length == 1 && sent[0] == 0 ? new byte[0] : sent;
  }

  private void turn() {
    nonce = Nonces.next();
    state = State.SWITCHED;
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    out.write(0xfe);
    out.writeBytes(plugin.getBytes(StandardCharsets.US_ASCII));
    out.write(0);
    out.writeBytes(nonce);
    out.write(0);
    peer.send(out.toByteArray());
  }

  private void proof(byte[] proof) {
    if (plugin.equals(Scramble.NATIVE)) {
      String digest = account.orElseThrow().credential().nativeDigest();
      settle(Scramble.matches(plugin, digest, nonce, proof), proof.length > 0, false);
    } else if (proof.length == 0) {
      settle(noPassword(), false, false);
    } else if (proof.length != PROOF_LENGTH) {
      settle(false, true, false);
    } else {
      Optional<Boolean> right =
          account.flatMap(known -> authentication.fits(known, attempt, nonce, proof));
      if (right.orElse(false)) {
        settle(true, true, true);
      } else {
        disproved = right.isPresent();
        unanswered = true;
        afterwards(
            delay(),
            () -> {
              state = State.ASKED;
              peer.send(new byte[] {MORE, PLEASE_PASSWORD});
            });
      }
    }
  }

  private void password(byte[] payload) {
    if (attempt.encrypted()) {
      boolean ends = payload.length > 0 && payload[payload.length - 1] == 0;
      byte[] password = Arrays.copyOf(payload, payload.length - (ends ? 1 : 0));
      Arrays.fill(payload, (byte) 0);
      check(() -> Optional.of(password));
    } else if (payload.length == 1 && payload[0] == KEY_WANTED) {
      state = State.BUSY;
      slowly(() -> {
        byte[] pem = authentication.keys().publicPem();
        byte[] packet = new byte[pem.length + 1];
        packet[0] = MORE;
        System.arraycopy(pem, 0, packet, 1, pem.length);
        return () -> {
          state = State.KEYED;
          peer.send(packet);
        };
      });
    } else {
      encrypted(payload);
    }
  }

  private void encrypted(byte[] payload) {
    check(() ->
        authentication
            .keys()
            .decrypt(payload, nonce)
            .map(text -> Arrays.copyOf(text, lengthBeforeZero(text))));
  }

  private static int lengthBeforeZero(byte[] text) {
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return length;
  }

  /** Compares a password, which is got elsewhere too. */
  private void check(Supplier<Optional<byte[]>> clear) {
    state = State.BUSY;
    slowly(() -> {
      byte[] password = clear.get().orElse(new byte[0]);
      boolean right = authentication.fits(account, password);
      Arrays.fill(password, (byte) 0);
      return () -> settle(right, true, false);
    });
  }

  /** Runs something elsewhere, and what comes of it on the event loop again. */
  private void slowly(Supplier<Runnable> work) {
    authentication.slowly(() -> {
      if (!peer.open()) { // its time was up while it waited
        return;
      }
      Runnable next;
      try {
        next = work.get();
      } catch (RuntimeException e) {
        next =
            () ->
                refuse(new AlraiException(ErrorCode.ALRAI_INTERNAL, "a login ends by a defect", e));
      }
      later(0, next);
    });
  }

  private void settle(boolean right, boolean password, boolean proved) {
    unanswered = false;
    long millis = delay();
    Optional<AlraiException> locked = tried(account, right);
    afterwards(
        millis,
        () -> {
          if (locked.isPresent()) {
            throw locked.get();
          }
          enter(authentication.identity(attempt, account, right, password), password, proved);
        });
  }

  /** The password was right; there may be enough sessions of the account. */
  private void enter(ClientIdentity identity, boolean password, boolean proved) {
    CompletableFuture<Place> place = authentication.limits().enter(identity);
    if (place == null) {
      state = State.OVER;
      peer.accepted(identity, proved);
      return;
    }
    state = State.BUSY;
    place.whenComplete((got, error) -> peer.later(0, () -> entered(password, proved, got, error)));
  }

  private void entered(
      boolean password, boolean proved, @Nullable Place got, @Nullable Throwable error) {
    if (got == null) {
      if (state != State.OVER) {
        refuse(AlraiException.causeOf(Objects.requireNonNull(error)));
      }
      return;
    }
    try (got) {
      if (state != State.OVER) {
        // the account may have changed while others were asked
        ClientIdentity identity = authentication.identity(attempt, account, true, password);
        state = State.OVER;
        peer.accepted(identity.with(got.account()), proved);
      }
    } catch (AlraiException e) {
      refuse(e);
    }
  }

  /** Counts a password; gives the refusal where the account is locked by now. */
  private Optional<AlraiException> tried(Optional<Account> counted, boolean right) {
    try {
      authentication.tried(attempt, counted, right);
      return Optional.empty();
    } catch (AlraiException e) {
      return Optional.of(e);
    }
  }

  /** Milliseconds until the client gets an answer; it waits once. */
  private long delay() {
    long millis = waited ? 0 : authentication.delay(attempt);
    waited |= millis > 0;
    return millis;
  }

  private void afterwards(long millis, Runnable step) {
    if (millis == 0) {
      step.run();
    } else {
      state = State.BUSY;
      later(millis, step);
    }
  }

  private void later(long millis, Runnable step) {
    peer.later(
        millis,
        () -> {
          if (state != State.OVER) {
            guarded(step);
          }
        });
  }
}
